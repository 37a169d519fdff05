import ToDoModel

/// Reads a list page by page, each page in a separate read, such that all pages show the revision of the first page.
///
/// Pages are in the order of creation, which never changes. An item of a later page that has not changed since the
/// first page is shown as it is. An item that was replaced or deleted since is shown as it was: the changes since
/// contain its former state. The pager holds neither a copy of the list nor a read transaction. A read transaction
/// would prevent checkpoints of the database's log while the slowest watcher reads.
///
/// If the changes do not contain the former state of an item, as changes of another process do not, the page cannot be
/// made and the snapshot must be restarted.
struct SnapshotPager {
  /// The revision that all pages show.
  let revision: Revision
  private let state: ItemState
  /// The position of the last item shown.
  private var position: ItemPosition

  /// Creates a pager for the pages after the first.
  ///
  /// - Parameter first: the listing of `firstSelection`. If it is empty, the initializer returns `nil`.
  init?(after first: ItemListing, _ state: ItemState) {
    guard let last = first.items.last else { return nil }
    revision = first.revision
    self.state = state
    position = ItemPosition(of: last, in: .created)
  }

  /// Returns the selection of the first page.
  static func firstSelection(_ state: ItemState) -> ItemSelection { selection(state, after: nil) }

  /// The selection of the next page.
  var selection: ItemSelection { Self.selection(state, after: position) }

  private static func selection(_ state: ItemState, after position: ItemPosition?) -> ItemSelection {
    // The size leaves room for the other bytes of the message. The buffer that contains it is then 64 KiB, not 128.
    ItemSelection(state: state, order: .created, after: position, limit: 128, sizeLimit: 56 << 10)
  }

  /// Returns the items of the next page.
  ///
  /// - Parameters:
  ///   - listing: the listing of `selection`.
  ///   - changes: every change after `revision` up to the listing's revision.
  /// - Returns: `nil` if the changes do not contain the former state of an item.
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
