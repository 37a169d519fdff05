import Synchronization
import ToDoModel
import ToDoRules

/// A coherent cache of recently read and written items, and of list revisions.
///
/// Every lookup reads it first, on all event loops, so the items are divided between slots with a lock each.
final class ItemCache: Sendable {
  struct Key: Hashable {
    let owner: OwnerID
    let id: ItemID

    // Hashes the complete ID, because clients choose it: with fewer bytes, a client could make all its IDs collide. Hashing
    // the owner as well would add nothing.
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  private final class Slot: Sendable {
    let items: Mutex<CoherentCache<Key, ToDoItem>>

    init(_ items: CoherentCache<Key, ToDoItem>) { self.items = Mutex(items) }
  }

  private let slots: [Slot]
  private let revisions: Mutex<CoherentCache<OwnerID, Revision>>

  /// - Parameters:
  ///   - size: the approximate maximum size of the items, in bytes; 0 disables the cache.
  ///   - readHeader: returns the current header of the log, or `nil` if it is unavailable.
  init(size: Int, _ readHeader: @escaping CoherentCache<Key, ToDoItem>.HeaderReader) {
    let count = 16
    slots = (0..<count).map { _ in Slot(CoherentCache(costLimit: size / count, readHeader)) }
    revisions = Mutex(CoherentCache(costLimit: size > 0 ? Self.revisionCount : 0, readHeader))
  }

  private static let revisionCount = 10_000

  /// Returns the current item, or `nil` on a cache miss.
  func item(_ id: ItemID, of owner: OwnerID) -> ToDoItem? {
    slot(of: id).items.withLock { $0[Key(owner: owner, id: id)] }
  }

  /// Reads an item, and caches it unless a commit happens during the read.
  func item(
    _ id: ItemID, of owner: OwnerID, reading read: () async throws -> ToDoItem?
  ) async rethrows -> ToDoItem? {
    let slot = slot(of: id)
    let before = slot.items.withLock(\.currentHeader)
    guard let item = try await read() else { return nil }
    slot.items.withLock { $0.insert(item, for: Key(owner: owner, id: id), cost: item.cost, readSince: before) }
    return item
  }

  /// Returns the list's current revision, or `nil` on a cache miss.
  func revision(of owner: OwnerID) -> Revision? { revisions.withLock { $0[owner] } }

  /// Reads a listing, and caches its revision unless a commit happens during the read.
  func listing(of owner: OwnerID, reading read: () async throws -> ItemListing) async rethrows -> ItemListing {
    let before = revisions.withLock(\.currentHeader)
    let listing = try await read()
    revisions.withLock { $0.insert(listing.revision, for: owner, cost: 1, readSince: before) }
    return listing
  }

  /// Empties the cache for good.
  func close() {
    for slot in slots { slot.items.withLock { $0.close() } }
    revisions.withLock { $0.close() }
  }

  /// Applies the changes of this store's commit.
  func note(_ changes: ItemChanges, in commit: Commit) {
    revisions.withLock { revisions in
      revisions.note(commit) { values in
        for (owner, revision) in changes.revisions { values.insert(revision, for: owner, cost: 1) }
      }
    }
    let indices = changes.items.map { index(of: $0.key.id) }
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
  /// The approximate size of the item in memory, in bytes, with its entries in two dictionaries.
  fileprivate var cost: Int { 2 * MemoryLayout<ToDoItem>.stride + 128 + content.textSize }
}
