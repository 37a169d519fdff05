#if PostgreSQL
import CToDoLibPQ

/// A command that was sent, and the position of its statement in the batch.
enum PipelineCommand {
  case prepare(PreparedStatement, name: String, index: Int)
  case run(index: Int)

  var index: Int {
    switch self {
    case .prepare(_, _, let index), .run(let index): index
    }
  }
}

/// A batch's results. Each command has one result, followed by `nil`, and the result of the sync ends the batch.
struct PipelineResults: ResultHandler {
  private let batch: [BoundStatement]
  private let commands: [PipelineCommand]
  private var position = 0
  private(set) var failure: PostgreSQLError?
  private(set) var rows: [Rows] = []
  /// The names of the statements that the server has prepared.
  private(set) var prepared: [PreparedStatement: String] = [:]

  init(_ batch: [BoundStatement], commands: [PipelineCommand]) {
    self.batch = batch
    self.commands = commands
    rows.reserveCapacity(batch.count)
  }

  mutating func handle(_ result: OpaquePointer?) -> ResultProgress {
    guard let result else {
      position += 1
      return .expectsMore
    }
    switch PQresultStatus(result) {
    case PGRES_PIPELINE_SYNC:
      PQclear(result)
      return .complete
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
      succeed(Rows(result))
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
      PQclear(result)
      return .unsupported
    case PGRES_PIPELINE_ABORTED:
      PQclear(result)
    default:
      fail(result)
      PQclear(result)
    }
    return .expectsMore
  }

  private mutating func succeed(_ result: Rows) {
    guard position < commands.count else { return }
    switch commands[position] {
    case .prepare(let statement, let name, _): prepared[statement] = name
    case .run: rows.append(result)
    }
  }

  private mutating func fail(_ result: OpaquePointer) {
    guard failure == nil else { return }
    let index = position < commands.count ? commands[position].index : nil
    failure = PostgreSQLError(result: result, sql: index.map { batch[$0].sql.text }, statementIndex: index)
  }
}

/// The results of statements without parameters, followed by `nil`.
struct ScriptResults: ResultHandler {
  let script: String
  private(set) var failure: PostgreSQLError?

  init(script: String) { self.script = script }

  mutating func handle(_ result: OpaquePointer?) -> ResultProgress {
    guard let result else { return .complete }
    defer { PQclear(result) }
    switch PQresultStatus(result) {
    case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: break
    case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH: return .unsupported
    default: failure = failure ?? PostgreSQLError(result: result, sql: script)
    }
    return .expectsMore
  }
}
#endif
