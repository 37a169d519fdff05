import ToDoModel
import ToDoRPC

extension ToDoService {
  /// Reads the history, the latest revision first, until `body` returns false or no earlier revision is retained.
  ///
  /// - Throws: `RPCError` if the revisions are not in order; any error of the service.
  func readHistory(_ query: HistoryQuery = HistoryQuery(), _ body: (RevisionRecord) -> Bool) async throws {
    var query = query
    while true {
      let page = try await history(query)
      for record in page.revisions {
        // Revisions that repeat would never end.
        guard query.before.map({ record.revision < $0 }) ?? true else {
          throw RPCError.malformedResponse("revisions", "must be in order, the latest first")
        }
        query.before = record.revision
        guard body(record) else { return }
      }
      guard page.hasMore else { return }
      guard !page.revisions.isEmpty else {
        throw RPCError.malformedResponse("revisions", "must not be empty if has_more is set")
      }
    }
  }

  /// Returns the record of the revision that a reversal reverted, or `nil` if it is no longer retained.
  func revision(revertedBy reversal: RevisionRecord) async throws -> RevisionRecord? {
    guard let target = reversal.origin.reverted, target < reversal.revision else { return nil }
    return try await record(of: Revision(target.number, of: reversal.revision.incarnation))
  }

  private func record(of revision: Revision) async throws -> RevisionRecord? {
    let next = Revision(revision.number + 1, of: revision.incarnation)
    let page = try await history(HistoryQuery(before: next, pageSize: 1))
    return page.revisions.first { $0.revision == revision }
  }

  /// Returns the result when a revision is reverted and all its items are refused.
  func refusal(of revision: Revision) async throws -> Reversal {
    let record = try await record(of: revision)
    let refusals = (record?.changes ?? []).map {
      Reversal.Refusal(item: $0.item, number: $0.number, title: $0.title, reason: .other)
    }
    return Reversal(revision: revision, refusals: refusals, refusedCount: record?.changeCount ?? 0)
  }
}

extension Reversal {
  /// Adds the result of reverting another revision.
  mutating func add(_ part: Reversal) {
    revision = part.revision
    revertedCount += part.revertedCount
    refusals += part.refusals
    refusedCount += part.refusedCount
  }
}
