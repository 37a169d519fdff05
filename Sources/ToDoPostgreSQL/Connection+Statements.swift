#if PostgreSQL
import CToDoLibPQ

extension Connection {
  /// Runs statements that have no parameters, and discards their rows. Without `BEGIN` they are one transaction.
  ///
  /// - Throws: `PostgreSQLError`.
  package func execute(_ script: String) throws(PostgreSQLError) {
    try execute(script, until: Deadline(after: timeout))
  }

  func execute(_ script: String, until deadline: Deadline) throws(PostgreSQLError) {
    try checkIsUsable()
    guard PQsendQuery(handle, script) == 1 else { throw failure(sql: script) }
    var results = ScriptResults(script: script)
    try receive(&results, until: deadline)
    if let failure = results.failure { throw failure }
  }

  /// Runs a statement. The connection retains the prepared statement for the next call with the same text and types.
  ///
  /// - Throws: `PostgreSQLError`.
  package func run(_ statement: SQL, _ parameters: Parameters = Parameters()) throws(PostgreSQLError) -> Rows {
    let results = try send([BoundStatement(statement, parameters)])
    guard let rows = results.first else { throw .malformedResult }
    return rows
  }

  /// Runs statements in one round trip, and returns their results.
  ///
  /// If a statement fails, the statements after it are skipped, `COMMIT` included. Statements outside of `BEGIN` and
  /// `COMMIT` are one transaction. A `COMMIT` of a transaction that has failed before the batch rolls back: its
  /// `Rows.tag` is `ROLLBACK`.
  ///
  /// - Throws: `PostgreSQLError`, with `statementIndex` if a statement failed. A transaction that is open must then
  ///   be rolled back.
  package func send(_ batch: [BoundStatement]) throws(PostgreSQLError) -> [Rows] {
    try checkIsUsable()
    guard !batch.isEmpty else { return [] }
    for (index, statement) in batch.enumerated() where statement.parameters.isTooLong {
      throw PostgreSQLError(
        .other, message: "a parameter is longer than 1 GiB", sql: statement.sql.text, statementIndex: index)
    }
    let deadline = Deadline(after: timeout)
    var results = PipelineResults(batch, commands: try enqueue(batch))
    defer { prepared.merge(results.prepared) { $1 } }
    try receive(&results, until: deadline)
    guard PQexitPipelineMode(handle) == 1 else { throw failure() }
    if let failure = results.failure {
      forgetPreparedStatement(of: failure, in: batch)
      throw failure
    }
    guard results.rows.count == batch.count else { throw .malformedResult }
    return results.rows
  }

  /// Writes the messages of a batch into the buffer of libpq.
  private func enqueue(_ batch: [BoundStatement]) throws(PostgreSQLError) -> [PipelineCommand] {
    guard PQenterPipelineMode(handle) == 1 else { throw failure() }
    var commands: [PipelineCommand] = []
    var names: [PreparedStatement: String] = [:]
    for (index, bound) in batch.enumerated() {
      let statement = PreparedStatement(sql: bound.sql, types: bound.parameters.types)
      let name: String
      if let existing = prepared[statement] ?? names[statement] {
        name = existing
      } else {
        nameCount += 1
        name = "s\(nameCount)"
        names[statement] = name
        let types = statement.types
        guard PQsendPrepare(handle, name, bound.sql.text, Int32(types.count), types) == 1 else {
          throw failure(sql: bound.sql.text)
        }
        commands.append(.prepare(statement, name: name, index: index))
      }
      let isSent = bound.parameters.withPointers { pointers, lengths, formats in
        PQsendQueryPrepared(handle, name, Int32(lengths.count), pointers, lengths, formats, 1) == 1
      }
      guard isSent else { throw failure(sql: bound.sql.text) }
      commands.append(.run(index: index))
    }
    guard PQpipelineSync(handle) == 1 else { throw failure() }
    return commands
  }

  /// The states of a prepared statement that has become unusable: its result type has changed, or it does not exist.
  private static let staleStates: Set<String> = ["0A000", "26000"]

  /// Makes the next call prepare a statement again if that can correct its error.
  private func forgetPreparedStatement(of failure: PostgreSQLError, in batch: [BoundStatement]) {
    guard let state = failure.state, let index = failure.statementIndex, Self.staleStates.contains(state) else {
      return
    }
    prepared[PreparedStatement(sql: batch[index].sql, types: batch[index].parameters.types)] = nil
  }
}

/// The key of a prepared statement.
struct PreparedStatement: Hashable {
  let sql: SQL
  let types: [UInt32]
}
#endif
