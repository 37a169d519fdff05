import ToDoModel

/// Reads a list page by page, each page by a reading of its own, so that all pages together show one revision: that of
/// the first.
///
/// Pages follow one another by creation, which never changes. An item of a later page that was not changed since the
/// first is shown as it is. One that was replaced or deleted since is shown as it was: the changes since tell what it
/// was. Nothing else is kept, neither a copy of the list nor a read transaction, which would keep the log of a database
/// from being moved into its file for as long as the slowest watcher reads.
///
/// Where the changes do not tell what an item was, as those of another process do not, there is no page, and the snapshot
/// has to be started again.
struct SnapshotPager {
  /// The revision that all pages show.
  let revision: Revision
  private let state: ItemState
  /// All items up to this position were shown.
  private var position: ItemPosition

  /// - Parameter first: what `firstSelection` selected. `nil` if it has no item.
  init?(after first: ItemListing, _ state: ItemState) {
    guard let last = first.items.last else { return nil }
    revision = first.revision
    self.state = state
    position = ItemPosition(of: last, in: .created)
  }

  static func firstSelection(_ state: ItemState) -> ItemSelection { selection(state, after: nil) }

  /// Selects what the next page is made of.
  var selection: ItemSelection { Self.selection(state, after: position) }

  private static func selection(_ state: ItemState, after position: ItemPosition?) -> ItemSelection {
    ItemSelection(state: state, order: .created, after: position, limit: 128, sizeLimit: 64 << 10)
  }

  /// Makes the next page.
  ///
  /// - Parameters:
  ///   - listing: what `selection` selected.
  ///   - changes: every change after `revision` up to that of the listing.
  /// - Returns: `nil` if the changes do not tell what some item was.
  mutating func page(
    _ listing: ItemListing, changedBy changes: some Sequence<ReversibleChanges>
  ) -> [ToDoItem]? {
    let end = listing.hasMore ? listing.items.last.map { ItemPosition(of: $0, in: .created) } : nil
    func isOnPage(_ item: ToDoItem) -> Bool {
      let itsPosition = ItemPosition(of: item, in: .created)
      return itsPosition > position && end.map { itsPosition <= $0 } ?? true
    }
    var items = listing.items.filter { $0.revision <= revision }
    var seen: Set<ItemID> = []
    for reversible in changes {
      let replaced = reversible.replaced.map { Dictionary($0.map { ($0.id, $0) }) { $1 } }
      // An item's first change since the snapshot's revision contains its state at that revision.
      for change in reversible.set.changes where seen.insert(change.id).inserted {
        if let replaced {
          if let item = replaced[change.id], isOnPage(item), state.includes(item) { items.append(item) }
        } else if case .put(let item, let cause) = change {
          guard cause == .added || !isOnPage(item) else { return nil }
        } else {
          return nil
        }
      }
    }
    if let end { position = end }
    return items
  }
}
