import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoText

/// An error in the form in which the program reports it.
struct Failure: Error, Equatable, Sendable {
  let code: StatusCode
  /// The machine-readable reason, in UPPER_SNAKE_CASE.
  var reason: String
  /// A human-readable sentence without terminal control characters.
  var message: String
  /// The invalid fields, identified by their paths in the request.
  var fields: [FieldViolation]
  /// Further human-readable lines, such as the remedy.
  var details: [String]
  /// The items that match an ambiguous reference.
  var candidates: [ToDoItem] = []
  /// The places that match an ambiguous address.
  var places: [GeocodeCandidate] = []
  /// The item that failed, if there are several.
  var item: ToDoItem?
  /// The exit status. Derived from the code by default.
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

  /// Creates a failure for invalid usage.
  static func usage(_ message: String, reason: String = "USAGE", details: [String] = []) -> Failure {
    Failure(code: .invalidArgument, reason: reason, message: message, details: details)
  }
}

extension Failure {
  /// Reads the value of an option. An error begins with its name.
  ///
  /// - Throws: `Failure`.
  static func naming<Value>(_ option: String, _ read: () throws -> Value) throws -> Value {
    do { return try read() } catch {
      var failure = Failure(error)
      failure.message = "\(option): \(failure.message)"
      throw failure
    }
  }

  /// Returns the failure of one item among several, whose message begins with its number and its title.
  func naming(_ item: ToDoItem) -> Failure {
    var failure = self
    failure.item = item
    let (reference, name) = (item.shortReference, "\(item.shortReference) '\(item.title.escapingControls())'")
    guard !message.hasPrefix(name) else { return failure }
    let begins = message.hasPrefix(reference + " ")
    failure.message = begins ? name + message.dropFirst(reference.count) : "\(name): \(message)"
    return failure
  }

  /// The human-readable form: the message, then one line per field and per detail.
  var text: String {
    let fieldLines = fields.map { "\(RequestField($0.field).option) \($0.reason.escapingControls())" }
    return (["Error: " + message] + (fieldLines + remedies + details).map { "  " + $0 }).joined(separator: "\n")
  }

  private var remedies: [String] {
    let lacksDue = fields.contains {
      $0.field.hasPrefix("item.reminders[") && $0.reason.hasPrefix("must not be set without a due ")
    }
    return lacksDue
      ? [
        "Set a due date with a time, count from now as in --remind 'in 1h', or remove the reminders with '--remind none'."
      ] : []
  }

  /// The form that '--json' prints to standard error.
  var json: JSONValue {
    let fields = fields.map { violation in
      JSONValue.object([
        .init("field", .string(RequestField(violation.field).jsonPath)),
        .init("message", .string(violation.reason)),
      ])
    }
    let item = item.map { item in
      JSONValue.object([
        .init("id", .string(item.id.description)), .init("number", .integer(item.number.value)),
        .init("title", .string(item.title)),
      ])
    }
    let candidates = candidates.map { JSONValue($0) } + places.map { JSONValue($0, from: nil) }
    return .object([
      .init(
        "error",
        .object(
          [
            .init("code", .string(code.name)),
            .init("reason", .string(reason)),
            .init("message", .string(message)),
            .init("fields", .array(fields)),
          ] + (item.map { [.init("item", $0)] } ?? [])
            + (candidates.isEmpty ? [] : [.init("candidates", .array(candidates))])))
    ])
  }
}
