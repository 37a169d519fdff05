#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension PostgreSQLWriteGroup {
  /// The outcome of a commit.
  enum Outcome {
    case committed
    /// Nothing was committed.
    case rolledBack(any Error)
    /// The connection was lost while the commit was under way, or the commit may not have been replicated.
    case unknown(any Error)
  }

  /// Sends all pending changes and commits, in one round trip.
  ///
  /// - Parameter serverID: the sender of the notification of the changes.
  func commit(serverID: String) -> Outcome {
    let evidence = CommitEvidence(of: self)
    var batch = takeAllStatements()
    let changed = lists.filter { $0.value.row != $0.value.stored }
    let isEmpty = batch.isEmpty && changed.isEmpty && !hasSentChanges
    if !changed.isEmpty { batch.append(Self.update(changed)) }
    let revised = changed.filter { $0.value.row.revision != $0.value.stored.revision }.keys
    if !revised.isEmpty {
      var parameters = Parameters()
      parameters.append(Self.payload(of: Array(revised), serverID: serverID).storable)
      batch.append(BoundStatement(WriteSQL.notify, parameters))
    }
    batch.append(BoundStatement(WriteSQL.commit))
    let outcome = commit(batch)
    // Without changes, the outcome of the commit makes no difference.
    if case .unknown = outcome, isEmpty, evidence.isEmpty { return .committed }
    return outcome
  }

  private func commit(_ batch: [BoundStatement]) -> Outcome {
    connection.commitIsUncertain = false
    do throws(PostgreSQLError) {
      let results = try connection.send(batch)
      // The server responds to the commit of a failed transaction with a success.
      guard results.last?.tag == "COMMIT" else {
        return .rolledBack(ToDoError.storeUnavailable(detail: "the database rolled the transaction back"))
      }
      return connection.commitIsUncertain ? .unknown(StoreTransaction.outcomeUnknown) : .committed
    } catch {
      let mayBeCommitted = error.endsConnection || error.kind == .malformedResult || !connection.isUsable
      return mayBeCommitted ? .unknown(error) : .rolledBack(error)
    }
  }

  private static func update(_ lists: [OwnerID: ListState]) -> BoundStatement {
    let rows = lists.map { (name: $0.key.name.storable, row: $0.value.row) }
    var parameters = Parameters()
    parameters.append(array: rows.map { Optional($0.name) })
    parameters.append(array: rows.map { Optional($0.row.revision.number) })
    parameters.append(array: rows.map { Optional($0.row.floor.number) })
    parameters.append(array: rows.map { Optional(Int64($0.row.itemCount)) })
    parameters.append(array: rows.map { Optional(Int64($0.row.byteCount)) })
    parameters.append(array: rows.map { Optional($0.row.lastNumber.value) })
    return BoundStatement(WriteSQL.updateLists, parameters)
  }

  /// The maximum size of the payload of a notification. PostgreSQL allows 7,999 bytes.
  private static let payloadLimit = 7_000

  /// Returns the payload of the notification of changed lists: the server and the lists, or "*" if there are too
  /// many.
  static func payload(of owners: [OwnerID], serverID: String) -> String {
    let payload = owners.reduce(serverID) { "\($0)\n\($1.name)" }
    return payload.utf8.count > payloadLimit ? "\(serverID)\n*" : payload
  }
}
#endif
