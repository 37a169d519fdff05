import Synchronization
import ToDoModel

/// Items that were read or written lately, and what they are as long as nobody has written meanwhile.
///
/// It is asked before every look-up, from all event loops, so it is split into parts with a lock each. A part knows what
/// the database was like when its items were true (`LogIndex.Header`): it answers only while the database is like that
/// still, whoever may have written, and a store tells it what its own commits change, so that only foreign ones empty it.
final class ItemCache: Sendable {
  struct Key: Hashable {
    let owner: OwnerID
    let id: ItemID

    // All of the identity, as clients make it: with less, one could make all of theirs collide. The owner adds nothing.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  private struct Part {
    /// Says what the database is like now, or that this cannot be told; `nil` when the cache is closed.
    var look: Look?
    /// What it was like when the items were true.
    var header: LogIndex.Header?
    var items: RecentValues<Key, ToDoItem>

    mutating func note(_ change: ItemChanges.Change) {
      guard let item = change.item else { return items.remove(change.key) }
      items.insert(item, for: change.key, cost: item.cost)
    }

    /// Forgets what may not be true of a database that is like this.
    mutating func become(_ header: LogIndex.Header) {
      guard self.header != header else { return }
      items.removeAll()
      self.header = header
    }
  }

  private final class Slot: Sendable {
    let part: Mutex<Part>

    init(_ part: sending Part) { self.part = Mutex(part) }
  }

  typealias Look = @Sendable () -> LogIndex.Header?

  private let slots: [Slot]

  /// - Parameters:
  ///   - size: about how many bytes the items take at most; 0: keeps none.
  ///   - look: says what the database is like now; `nil` when that cannot be told.
  init(size: Int, _ look: @escaping Look) {
    let count = 16
    slots = (0..<count).map { _ in Slot(Part(look: look, items: RecentValues(costLimit: size / count))) }
  }

  /// The item as it is now, if it is here.
  func item(_ id: ItemID, of owner: OwnerID) -> ToDoItem? {
    slot(of: id).part.withLock { part in
      guard let now = part.look?(), part.header == now else { return nil }
      return part.items[Key(owner: owner, id: id)]
    }
  }

  /// Looks an item up, and remembers it unless somebody writes meanwhile.
  func item(_ id: ItemID, of owner: OwnerID, reading read: () throws -> ToDoItem?) rethrows -> ToDoItem? {
    let slot = slot(of: id)
    let before = slot.part.withLock { $0.look?() }
    guard let item = try read() else { return nil }
    slot.part.withLock { part in
      guard let before, part.look?() == before else { return }
      part.become(before)
      part.items.insert(item, for: Key(owner: owner, id: id), cost: item.cost)
    }
    return item
  }

  /// Answers nothing any more, and does not look any more.
  func close() {
    for slot in slots {
      slot.part.withLock { part in
        part.look = nil
        part.items.removeAll()
      }
    }
  }

  /// Notes a commit of this store.
  ///
  /// - Parameters:
  ///   - before: what the database was like when nobody else could write any more.
  ///   - after: what it is like now; others may have written since the commit.
  func note(_ changes: ItemChanges, before: LogIndex.Header?, after: LogIndex.Header?) {
    guard let after, before != after else { return }
    let isOnlyOurs = before.map { after.commitCount == $0.commitCount &+ 1 } ?? false
    let indices = changes.items.map { index(of: $0.key.id) }
    for (index, slot) in slots.enumerated() {
      slot.part.withLock { part in
        guard isOnlyOurs, part.header == before, !changes.isBulk else { return part.become(after) }
        part.header = after
        for change in changes.items.indices where indices[change] == index { part.note(changes.items[change]) }
      }
    }
  }

  private func index(of id: ItemID) -> Int { Int(truncatingIfNeeded: id.low >> 56 ^ id.low) & (slots.count - 1) }

  private func slot(of id: ItemID) -> Slot { slots[index(of: id)] }
}

/// What a commit did to items.
struct ItemChanges {
  /// An item as a write left it; `nil` when it is gone.
  typealias Change = (key: ItemCache.Key, item: ToDoItem?)

  /// In the order in which they were made.
  private(set) var items: [Change] = []
  /// Whether it changed many in ways that are not listed.
  var isBulk = false

  mutating func put(_ item: ToDoItem, of owner: OwnerID) {
    items.append((ItemCache.Key(owner: owner, id: item.id), item))
  }

  mutating func remove(_ id: ItemID, of owner: OwnerID) { items.append((ItemCache.Key(owner: owner, id: id), nil)) }

  mutating func append(_ later: ItemChanges) {
    items += later.items
    isBulk = isBulk || later.isBulk
  }
}

extension ToDoItem {
  /// About how many bytes it takes in memory, with its place in two tables.
  fileprivate var cost: Int { 2 * MemoryLayout<ToDoItem>.stride + 128 + content.textSize }
}
