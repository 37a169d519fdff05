import Synchronization
import ToDoModel

/// A few connections that read listings and changes, each on a thread of its own: a listing may look at every item of a
/// list.
final class ListReaders: Sendable {
  private let readers: [ListReader]
  /// How much each reader has to do.
  private let loads: Mutex<[Int]>

  init(_ file: DatabaseFile, count: Int) {
    readers = (0..<count).map { _ in ListReader(file) }
    loads = Mutex(Array(repeating: 0, count: count))
  }

  /// - Throws: `ToDoError`, `CancellationError`.
  func items(_ selection: ItemSelection, of owner: OwnerID) async throws -> ItemListing {
    try await read { try $0.items(selection, of: owner) }
  }

  /// - Throws: `ToDoError`, `CancellationError`.
  func changes(_ selection: ChangeSelection, of owner: OwnerID) async throws -> ChangeListing {
    try await read { try $0.changes(selection, of: owner) }
  }

  /// - Throws: `ToDoError`, `CancellationError`.
  func nearbyItems(_ selection: NearbySelection, of owner: OwnerID) async throws -> NearbyListing {
    try await read { try $0.nearbyItems(selection, of: owner) }
  }

  private func read<Value: Sendable>(_ body: @Sendable (SQLiteReader) throws -> Value) async throws -> Value {
    let number = loads.withLock { loads in
      let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[least] += 1
      return least
    }
    defer { loads.withLock { $0[number] -= 1 } }
    return try await readers[number].read(body)
  }

  func close() async {
    for reader in readers { await reader.close() }
  }
}

private actor ListReader {
  private let file: DatabaseFile
  private let executor = QueueExecutor(label: "ToDoStores.ListReader")
  private var reader: SQLiteReader?
  private var isClosed = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ file: DatabaseFile) {
    self.file = file
  }

  func read<Value: Sendable>(_ body: @Sendable (SQLiteReader) throws -> Value) throws -> Value {
    guard !isClosed else { throw ToDoError.storeClosed }
    // Cancelled while it waited for what came before it.
    try Task.checkCancellation()
    do {
      let reader = try reader ?? SQLiteReader(file)
      self.reader = reader
      return try body(reader)
    } catch let error as CancellationError {
      throw error
    } catch {
      throw ToDoError(error)
    }
  }

  func close() {
    isClosed = true
    reader = nil
  }
}
