import NIOCore
import Protobuf
import Synchronization
import ToDoModel
import ToDoProtocol

/// A cache of the encoded messages of the latest change sets, so that a set is encoded once however many watch.
///
/// Owners are spread over a fixed number of parts, each with a lock and limits of its own: encoding a large set of one
/// owner holds up only the owners of the same part.
final class EncodedChangeCache: Sendable {
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

  private final class Part: Sendable {
    let state = Mutex(State())
  }

  private let parts: [Part]
  private let sizeLimit: Int
  private let countLimit: Int

  /// - Parameters:
  ///   - partCount: the number of parts.
  ///   - sizeLimit: the number of bytes that the messages of one part have at most, except for the latest set.
  ///   - countLimit: the number of sets that one part has at most.
  init(partCount: Int = 16, sizeLimit: Int = 1 << 20, countLimit: Int = 16) {
    parts = (0..<partCount).map { _ in Part() }
    self.sizeLimit = sizeLimit
    self.countLimit = countLimit
  }

  /// - Parameter filter: what the set was filtered by; sets of one list with the same revision and filter are equal.
  func messages(of set: ChangeSet, _ owner: OwnerID, _ filter: ItemState) -> [ByteBuffer] {
    let key = Key(owner: owner, revision: set.revision, state: filter)
    let part = parts[Int(UInt(bitPattern: owner.hashValue) % UInt(parts.count))]
    // Encoded under the lock: other watches of the same set wait rather than encode it too.
    return part.state.withLock { state in
      if let messages = state.messages[key] { return messages }
      let messages = set.messages().map { state.encode($0) }
      state.keep(messages, for: key, sizeLimit, countLimit)
      return messages
    }
  }
}

extension EncodedChangeCache.State {
  fileprivate mutating func encode(_ message: WatchMessage) -> ByteBuffer {
    defer { arena.reset() }
    var buffer = ByteBuffer()
    buffer.writeMessage(ToDoMethods.watchItems.response.encode(message, arena))
    return buffer
  }

  fileprivate mutating func keep(
    _ new: [ByteBuffer], for key: EncodedChangeCache.Key, _ sizeLimit: Int, _ countLimit: Int
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
