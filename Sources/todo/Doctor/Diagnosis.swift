import ToDoModel
import ToDoText

/// The findings of `todo doctor`: the settings in force, and the results of its checks.
struct Diagnosis: Equatable, Sendable {
  /// A setting in force.
  struct Setting: Equatable, Sendable {
    let name: String
    let value: String
    /// The origin of the value: an option, an environment variable, a file or the default.
    let origin: String

    init(_ name: String, _ value: String, from origin: String) {
      self.name = name
      self.value = value
      self.origin = origin
    }
  }

  /// The result of a check.
  struct Check: Equatable, Sendable {
    enum Outcome: String, Sendable {
      case ok
      case warning
      case failed
      /// The check was not made, because an earlier one failed.
      case skipped
    }

    let name: String
    let outcome: Outcome
    let detail: String
    /// The advice to the user; `nil` if nothing needs to be done.
    var remedy: String?

    init(_ name: String, _ outcome: Outcome, _ detail: String, remedy: String? = nil) {
      self.name = name
      self.outcome = outcome
      self.detail = detail
      self.remedy = remedy
    }
  }

  var settings: [Setting] = []
  var checks: [Check] = []

  /// Whether a check failed.
  var hasFailed: Bool { checks.contains { $0.outcome == .failed } }
}

extension Diagnosis {
  /// The lines for people.
  func lines(version: String) -> [String] {
    let width = (settings.map(\.name) + checks.map(\.name)).map(\.displayWidth).max() ?? 0
    let settings = settings.map { setting in
      (setting.name.padded(toWidth: width) + "  \(setting.value)  (\(setting.origin))").escapingControls()
    }
    let checks = checks.flatMap { check in
      let label = check.outcome.rawValue.padded(toWidth: 8) + check.name.padded(toWidth: width)
      let remedy = check.remedy.map { ["".padded(toWidth: width + 10) + $0.escapingControls()] } ?? []
      return ["\(label)  \(check.detail)".escapingControls()] + remedy
    }
    return ["todo \(version)"] + settings + [""] + checks
  }

  /// The form for programs.
  func json(version: String) -> JSONValue {
    .object([
      .init("version", .string(version)),
      .init(
        "settings",
        .array(
          settings.map {
            .object([
              .init("name", .string($0.name)), .init("value", .string($0.value)), .init("origin", .string($0.origin)),
            ])
          })),
      .init(
        "checks",
        .array(
          checks.map {
            .object([
              .init("name", .string($0.name)), .init("outcome", .string($0.outcome.rawValue)),
              .init("detail", .string($0.detail)), .init("remedy", .optional($0.remedy)),
            ])
          })),
    ])
  }
}
