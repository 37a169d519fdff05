import NIOCore
import Synchronization
import TTRPC
import ToDoModel
import ToDoProtocol

/// The messages that tell the latest change sets, encoded once however many watch.
final class EncodedChanges: Sendable {
  fileprivate struct Key: Hashable {
    let owner: OwnerID
    let revision: Revision
    /// What the set was filtered by.
    let state: ItemState
  }

  fileprivate struct State {
    var messages: [Key: [ByteBuffer]] = [:]
    /// The earliest first.
    var keys: [Key] = []
    var size = 0
    let arena = Arena()
  }

  private let state = Mutex(State())
  private let sizeLimit: Int
  private let countLimit: Int

  init(sizeLimit: Int = 8 << 20, countLimit: Int = 64) {
    self.sizeLimit = sizeLimit
    self.countLimit = countLimit
  }

  /// - Parameter filter: what the set was filtered by; sets of one list with the same revision and filter are equal.
  func messages(of set: ChangeSet, _ owner: OwnerID, _ filter: ItemState) -> [ByteBuffer] {
    let key = Key(owner: owner, revision: set.revision, state: filter)
    // Encoded under the lock: who comes at the same time waits rather than encode it too.
    return state.withLock { state in
      if let messages = state.messages[key] { return messages }
      let messages = set.messages().map { state.encode($0) }
      state.keep(messages, for: key, sizeLimit, countLimit)
      return messages
    }
  }
}

extension EncodedChanges.State {
  fileprivate mutating func encode(_ message: WatchMessage) -> ByteBuffer {
    defer { arena.reset() }
    var buffer = ByteBuffer()
    buffer.writeMessage(ToDoMethods.watchItems.response.encode(message, arena))
    return buffer
  }

  fileprivate mutating func keep(
    _ new: [ByteBuffer], for key: EncodedChanges.Key, _ sizeLimit: Int, _ countLimit: Int
  ) {
    messages[key] = new
    keys.append(key)
    size += new.size
    while keys.count > 1, size > sizeLimit || keys.count > countLimit {
      size -= messages.removeValue(forKey: keys.removeFirst())?.size ?? 0
    }
  }
}

extension [ByteBuffer] {
  fileprivate var size: Int { reduce(0) { $0 + $1.readableBytes } }
}
