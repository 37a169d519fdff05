import ProgramSupport
import TTRPC
import ToDoModel

/// What went wrong, in the form in which the program reports it.
struct Failure: Error, Equatable, Sendable {
  let code: StatusCode
  /// Why, for programs: a word in UPPER_SNAKE_CASE.
  var reason: String
  /// One sentence for people, with nothing in it that a terminal obeys.
  var message: String
  /// The fields that break rules, by their paths in the request.
  var fields: [FieldViolation]
  /// More lines for people.
  var details: [String]
  /// What to exit with; unless said otherwise, what the code stands for.
  var status: ExitStatus

  init(
    code: StatusCode, reason: String, message: String, fields: [FieldViolation] = [], details: [String] = []
  ) {
    self.code = code
    self.reason = reason
    self.message = message
    self.fields = fields
    self.details = details
    status = ExitStatus(code)
  }

  static func usage(_ message: String, reason: String = "USAGE", details: [String] = []) -> Failure {
    Failure(code: .invalidArgument, reason: reason, message: message, details: details)
  }
}

extension Failure {
  /// For people: the message, then a line for each field and each detail.
  var text: String {
    let fieldLines = fields.map { "\(RequestField($0.field).option) \($0.reason.escapingControls())" }
    return (["Error: " + message] + (fieldLines + details).map { "  " + $0 }).joined(separator: "\n")
  }

  var json: JSONValue {
    let fields = fields.map { violation in
      JSONValue.object([
        .init("field", .string(RequestField(violation.field).jsonPath)),
        .init("message", .string(violation.reason)),
      ])
    }
    return .object([
      .init(
        "error",
        .object([
          .init("code", .string(code.name)),
          .init("reason", .string(reason)),
          .init("message", .string(message)),
          .init("fields", .array(fields)),
        ]))
    ])
  }
}
