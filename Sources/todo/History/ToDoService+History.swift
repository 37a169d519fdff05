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
    let next = Revision(target.number + 1, of: reversal.revision.incarnation)
    let page = try await history(HistoryQuery(before: next, pageSize: 1))
    return page.revisions.first { $0.revision == target }
  }

  /// Reverts revisions one after the other, and returns the sum of the results.
  func revert(_ revisions: [Revision]) async throws -> Reversal {
    var sum = Reversal(revision: .initial)
    for revision in revisions {
      let part = try await revertRevision(revision)
      sum.revision = part.revision
      sum.revertedCount += part.revertedCount
      sum.refusals += part.refusals
      sum.refusedCount += part.refusedCount
    }
    return sum
  }
}
