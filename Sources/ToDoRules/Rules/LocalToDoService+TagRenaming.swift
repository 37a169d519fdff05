public import ToDoModel

extension LocalToDoService {
  public func renameTag(_ renaming: TagRenaming) async throws -> TagRenamingResult {
    let violations = renaming.violations
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    try admit(1, textSize: 0)
    // The items are searched before the transaction, in which other lists would wait for the search. Each further round means
    // that many writes of this list came in between.
    while true {
      let selection = ItemSelection(
        tags: TagFilter(all: [renaming.from]), order: .created, limit: TagRenaming.Limits.items,
        sizeLimit: TagRenaming.Limits.text)
      let listing = try await store.items(selection, of: owner)
      guard !listing.hasMore else { throw Self.tooManyItems }
      let tagged = listing.items.filter { renaming.renamed($0.tags) != $0.tags }
      guard !tagged.isEmpty else { return TagRenamingResult(renamedCount: 0, revision: listing.revision) }
      do { return try await rename(renaming, tagged, foundAt: listing.revision) } catch is OutdatedListing {
        try Task.checkCancellation()
      }
    }
  }

  /// More has changed since the items were searched than a transaction reads.
  private struct OutdatedListing: Error {}

  private static let tooManyItems = ToDoError.invalidRequest([
    FieldViolation(
      "from",
      "is a tag of over \(TagRenaming.Limits.items) items, or over \(TagRenaming.Limits.text) bytes of text; so many cannot be renamed at once"
    )
  ])

  /// Renames the tag on items, and on those that have changed since they were found, in one transaction.
  private func rename(
    _ renaming: TagRenaming, _ tagged: [ToDoItem], foundAt revision: Revision
  ) async throws -> TagRenamingResult {
    let expected = tagged.reduce(0) { $0 + $1.content.textSize }
    // Taken before the write enters the queue, so that calls in flight count.
    charge(tagged.count - 1, textSize: expected)
    do {
      let reads = ItemReads(ids: tagged.map(\.id), isLong: true)
      let (result, textSize) = try await writeWithinQuota(reading: reads) { [self] transaction in
        let changed = try Self.itemsChanged(since: revision, in: transaction)
        let found = Set(reads.ids)
        return try rename(renaming, reads.ids + changed.filter { !found.contains($0) }, in: transaction)
      }
      charge(result.renamedCount - tagged.count, textSize: textSize - expected)
      return result
    } catch {
      charge(1 - tagged.count, textSize: -expected)
      throw error
    }
  }

  /// Returns the items that were changed after a revision, at most 64 by each of at most 64 revisions.
  ///
  /// - Throws: `OutdatedListing` if there are more.
  private static func itemsChanged(since revision: Revision, in transaction: any ItemTransaction) throws -> [ItemID] {
    let current = try transaction.revision.previous.number
    guard current > revision.number else { return [] }
    guard current - revision.number <= 64 else { throw OutdatedListing() }
    var ids: [ItemID] = []
    for number in revision.number + 1...current {
      do {
        let page = try transaction.changes(of: Revision(number), after: nil, limit: 64, sizeLimit: 1 << 20)
        guard !page.hasMore else { throw OutdatedListing() }
        ids += page.changes.map(\.change.id).filter { !ids.contains($0) }
      } catch ToDoError.revisionCompacted { throw OutdatedListing() }
    }
    return ids
  }

  private func rename(
    _ renaming: TagRenaming, _ ids: [ItemID], in transaction: any ItemTransaction
  ) throws -> (TagRenamingResult, textSize: Int) {
    let (now, revision) = (clock.now(), try transaction.revision)
    var (count, textSize) = (0, 0)
    for id in ids {
      guard case .present(var item, _) = try transaction.record(of: id) else { continue }
      let tags = renaming.renamed(item.tags)
      guard tags != item.tags else { continue }
      try Self.check(tags, of: item, renaming)
      (item.content.tags, item.updatedAt, item.revision) = (tags, now, revision)
      (count, textSize) = (count + 1, textSize + item.content.textSize)
      guard count <= TagRenaming.Limits.items, textSize <= 2 * TagRenaming.Limits.text else { throw Self.tooManyItems }
      try checkQuota(for: item.content, in: transaction)
      let fingerprint = ContentFingerprint(of: item.content, key: store.fingerprintKey)
      try transaction.update(item, cause: .edited, fingerprint: fingerprint)
    }
    return (TagRenamingResult(renamedCount: count, revision: count > 0 ? revision : revision.previous), textSize)
  }

  private static func check(_ tags: [String], of item: ToDoItem, _ renaming: TagRenaming) throws {
    if let invalid = tags.first(where: { !Tag.isValid($0) }) {
      let reason = "makes '\(invalid)' of item \(item.number), which is over \(ItemContent.Limits.tag) bytes long"
      throw ToDoError.invalidRequest([FieldViolation("to", reason)])
    }
    if !renaming.changesCaseOnly, renaming.isTagged(tags) {
      let reason = "leaves item \(item.number) with the tag '\(renaming.from)'"
      throw ToDoError.invalidRequest([FieldViolation("to", reason)])
    }
  }
}
