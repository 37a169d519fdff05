import Synchronization
import ToDoModel
import ToDoRules

/// Items that were read or written lately, and the revisions of lists, as they are now.
///
/// It is asked before every look-up, from all event loops, so the items are split into parts with a lock each.
final class ItemCache: Sendable {
  struct Key: Hashable {
    let owner: OwnerID
    let id: ItemID

    // All of the identity, as clients make it: with less, one could make all of theirs collide. The owner adds nothing.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  private final class Slot: Sendable {
    let items: Mutex<CurrentValues<Key, ToDoItem>>

    init(_ items: CurrentValues<Key, ToDoItem>) { self.items = Mutex(items) }
  }

  private let slots: [Slot]
  private let revisions: Mutex<CurrentValues<OwnerID, Revision>>

  /// - Parameters:
  ///   - size: about how many bytes the items take at most; 0: keeps nothing.
  ///   - look: says what the database is like now; `nil` when that cannot be told.
  init(size: Int, _ look: @escaping CurrentValues<Key, ToDoItem>.Look) {
    let count = 16
    slots = (0..<count).map { _ in Slot(CurrentValues(costLimit: size / count, look)) }
    revisions = Mutex(CurrentValues(costLimit: size > 0 ? Self.revisionCount : 0, look))
  }

  private static let revisionCount = 10_000

  /// The item as it is now, if it is here.
  func item(_ id: ItemID, of owner: OwnerID) -> ToDoItem? {
    slot(of: id).items.withLock { $0[Key(owner: owner, id: id)] }
  }

  /// Looks an item up, and remembers it unless somebody writes meanwhile.
  func item(
    _ id: ItemID, of owner: OwnerID, reading read: () async throws -> ToDoItem?
  ) async rethrows -> ToDoItem? {
    let slot = slot(of: id)
    let before = slot.items.withLock(\.present)
    guard let item = try await read() else { return nil }
    slot.items.withLock { $0.insert(item, for: Key(owner: owner, id: id), cost: item.cost, readSince: before) }
    return item
  }

  /// The list's revision as it is now, if it is here.
  func revision(of owner: OwnerID) -> Revision? { revisions.withLock { $0[owner] } }

  /// Reads a listing, and remembers its revision unless somebody writes meanwhile.
  func listing(of owner: OwnerID, reading read: () async throws -> ItemListing) async rethrows -> ItemListing {
    let before = revisions.withLock(\.present)
    let listing = try await read()
    revisions.withLock { $0.insert(listing.revision, for: owner, cost: 1, readSince: before) }
    return listing
  }

  /// Answers nothing any more, and does not look any more.
  func close() {
    for slot in slots { slot.items.withLock { $0.close() } }
    revisions.withLock { $0.close() }
  }

  /// Notes a commit of this store.
  func note(_ changes: ItemChanges, in commit: Commit) {
    revisions.withLock { revisions in
      revisions.note(commit) { values in
        for (owner, revision) in changes.revisions { values.insert(revision, for: owner, cost: 1) }
      }
    }
    let indices = changes.items.map { index(of: $0.change.id) }
    let deleted = Dictionary(grouping: changes.bulkDeleted) { index(of: $0.id) }
    for (index, slot) in slots.enumerated() {
      slot.items.withLock { items in
        items.note(commit) { values in
          for change in changes.items.indices where indices[change] == index {
            let (key, item) = (changes.items[change].key, changes.items[change].item)
            if let item { values.insert(item, for: key, cost: item.cost) } else { values.remove(key) }
          }
          for key in deleted[index] ?? [] { values.remove(key) }
        }
      }
    }
  }

  private func index(of id: ItemID) -> Int { Int(truncatingIfNeeded: id.low >> 56 ^ id.low) & (slots.count - 1) }

  private func slot(of id: ItemID) -> Slot { slots[index(of: id)] }
}

extension ToDoItem {
  /// About how many bytes it takes in memory, with its place in two tables.
  fileprivate var cost: Int { 2 * MemoryLayout<ToDoItem>.stride + 128 + content.textSize }
}
