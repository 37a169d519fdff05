import NIOCore
import Synchronization
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRules

/// A cache of the latest change sets as encoded messages, so that a set is encoded once for any number of watches.
///
/// The owners are distributed over a fixed number of parts, each with its own lock and limits. Encoding a large set of one
/// owner delays only the owners of the same part.
final class EncodedChangeCache: Sendable {
  fileprivate struct Key: Hashable {
    let owner: OwnerID
    let revision: Revision
    /// The state by which the set was filtered.
    let state: ItemState
    /// Whether the messages name the list.
    let isNamed: Bool
  }

  fileprivate struct State {
    var messages: [Key: [ByteBuffer]] = [:]
    /// The cached sets, the earliest first.
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
  private let observer: (any CacheObserver)?

  /// - Parameters:
  ///   - partCount: the number of parts.
  ///   - sizeLimit: the maximum message size in one part, in bytes. The latest set may exceed it.
  ///   - countLimit: the maximum number of sets in one part.
  ///   - observer: receives the lookups; `nil` for no metrics.
  init(
    partCount: Int = 16, sizeLimit: Int = 1 << 20, countLimit: Int = 16, observer: (any CacheObserver)? = nil
  ) {
    self.observer = observer
    parts = (0..<partCount).map { _ in Part() }
    self.sizeLimit = sizeLimit
    self.countLimit = countLimit
  }

  /// Returns the encoded messages of a change set.
  ///
  /// - Parameters:
  ///   - filter: the state by which the set was filtered. Sets of one list with the same revision and filter are equal.
  ///   - list: the list that the messages name; `nil` if they name none.
  func messages(
    of set: ChangeSet, _ owner: OwnerID, _ filter: ItemState, in list: ListID? = nil
  ) -> [ByteBuffer] {
    let key = Key(owner: owner, revision: set.revision, state: filter, isNamed: list != nil)
    let part = parts[Int(UInt(bitPattern: owner.hashValue) % UInt(parts.count))]
    // Encoded under the lock, so that other watches of the same set wait and do not encode it too.
    return part.state.withLock { state in
      let cached = state.messages[key]
      observer?.didLookUp(isHit: cached != nil)
      if let cached { return cached }
      let messages = set.messages().map { state.encode($0, in: list) }
      state.insert(messages, for: key, sizeLimit, countLimit)
      return messages
    }
  }
}

extension EncodedChangeCache.State {
  fileprivate mutating func encode(_ message: WatchMessage, in list: ListID?) -> ByteBuffer {
    defer { arena.reset() }
    var buffer = ByteBuffer()
    if let list {
      let message = ListWatchMessage(list, .message(message))
      buffer.writeMessage(ToDoMethods.watchItemsInLists.response.encode(message, arena))
    } else {
      buffer.writeMessage(ToDoMethods.watchItems.response.encode(message, arena))
    }
    return buffer
  }

  fileprivate mutating func insert(
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
