import Synchronization
import ToDoModel

/// A few connections that look up single items, on the thread of whoever asks.
///
/// A look-up takes about 5 µs when the pages are in memory; handing it to another thread and coming back takes several times
/// as long. Connections are opened when they are needed: as many as there are look-ups at one time, up to a limit;
/// beyond it a thread waits for the look-up before its own.
final class ItemReaders: Sendable {
  private enum State {
    case unopened
    case open(SQLiteReader)
    case closed
  }

  private final class Slot: Sendable {
    let state = Mutex(State.unopened)
  }

  private let file: DatabaseFile
  private let slots: [Slot]

  init(_ file: DatabaseFile, count: Int) {
    self.file = file
    slots = (0..<count).map { _ in Slot() }
  }

  /// - Throws: `ToDoError`.
  func item(_ id: ItemID, of owner: OwnerID) throws -> ToDoItem? {
    for slot in slots {
      if let result = slot.state.withLockIfAvailable({ state in Result { try item(id, of: owner, in: &state) } }) {
        return try result.get()
      }
    }
    return try slots[Int(truncatingIfNeeded: id.low % UInt64(slots.count))].state.withLock { state in
      try item(id, of: owner, in: &state)
    }
  }

  func close() {
    for slot in slots { slot.state.withLock { $0 = .closed } }
  }

  private func item(_ id: ItemID, of owner: OwnerID, in state: inout State) throws -> ToDoItem? {
    do {
      switch state {
      case .open(let reader):
        return try reader.item(id, of: owner)
      case .unopened:
        let reader = try SQLiteReader(file)
        state = .open(reader)
        return try reader.item(id, of: owner)
      case .closed:
        throw ToDoError.storeClosed
      }
    } catch {
      throw ToDoError(error)
    }
  }
}
