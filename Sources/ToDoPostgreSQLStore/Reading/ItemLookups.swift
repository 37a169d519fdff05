#if PostgreSQL
import Dispatch
import ToDoPostgreSQL
import Synchronization
import ToDoModel
import ToDoRules
import ToDoStores

/// Combines concurrent lookups of single items, even of different lists, into statements of up to 256 lookups.
///
/// A lookup that finds the connection idle starts a statement immediately. Lookups that arrive while a statement runs
/// wait for the next one, in the order of `FairQueue`.
final class ItemLookups: Sendable {
  private let sink: LookupSink
  private let committer: GroupCommitter<LookupSink>

  /// - Parameter open: opens the connection, which is done when it is first needed and after it was lost.
  init(open: @escaping @Sendable () throws -> PostgreSQLReader) {
    sink = LookupSink(open: open)
    committer = GroupCommitter(sink: sink, pendingLimit: 4096, ownerLimit: 1024, groupLimit: 256)
  }

  /// Returns an item, or `nil` if it does not exist.
  ///
  /// - Throws: `ToDoError`; `CancellationError` if the task is canceled before the lookup begins.
  func item(_ id: ItemID, of owner: OwnerID) async throws -> ToDoItem? {
    try await committer.submit(for: .list(owner), reading: ItemReads(ids: [id])) { items in
      try items.item(id, of: owner)
    }
  }

  /// Waits until the lookups are done, and closes the connection. Later lookups throw `ToDoError.storeUnavailable`.
  func close() async {
    await committer.close()
    sink.close()
  }
}

/// The items of one statement.
struct LookedUpItems: Sendable {
  /// The list and the ID of an item.
  struct Key: Hashable {
    let owner: OwnerID
    let id: ItemID
  }

  private let results: [Key: Result<ToDoItem?, any Error>]

  init(_ results: [Key: Result<ToDoItem?, any Error>]) {
    self.results = results
  }

  func item(_ id: ItemID, of owner: OwnerID) throws -> ToDoItem? {
    try results[Key(owner: owner, id: id)]?.get()
  }
}

/// The connection of `ItemLookups`, and its thread.
final class LookupSink: GroupSink {
  typealias Transaction = LookedUpItems

  private enum State {
    case unopened
    case open(PostgreSQLReader)
    case closed
  }

  private let open: @Sendable () throws -> PostgreSQLReader
  private let thread = DispatchQueue(label: "ToDoPostgreSQLStore.ItemLookups")
  private let state = Mutex(State.unopened)

  init(open: @escaping @Sendable () throws -> PostgreSQLReader) {
    self.open = open
  }

  func schedule(_ work: @escaping @Sendable () -> Void) { thread.async(execute: work) }

  func commit(
    _ next: @Sendable () -> GroupedWrite<LookedUpItems>?
  ) throws -> [GroupedWrite<LookedUpItems>.Answer] {
    var (lookups, keys) = ([GroupedWrite<LookedUpItems>](), Set<LookedUpItems.Key>())
    while let lookup = next() {
      if case .list(let owner) = lookup.owner {
        keys.formUnion(lookup.reads.ids.map { LookedUpItems.Key(owner: owner, id: $0) })
      }
      lookups.append(lookup)
    }
    let items = try items(Array(keys))
    return lookups.map { $0.perform(items) }
  }

  func close() { state.withLock { $0 = .closed } }

  private func items(_ keys: [LookedUpItems.Key]) throws -> LookedUpItems {
    let ids = keys.map { (owner: $0.owner, id: $0.id) }
    do {
      let results = try state.withLock { state in try reader(&state).results(of: ids) }
      let translated = results.map { result in result.mapError(PostgreSQLReader.translate) }
      return LookedUpItems(Dictionary(uniqueKeysWithValues: zip(keys, translated)))
    } catch {
      throw PostgreSQLReader.translate(error)
    }
  }

  private func reader(_ state: inout State) throws -> PostgreSQLReader {
    switch state {
    case .open(let reader) where reader.isUsable:
      return reader
    case .open, .unopened:
      state = .unopened
      let reader = try open()
      state = .open(reader)
      return reader
    case .closed:
      throw ToDoError.storeClosed
    }
  }
}
#endif
