/// A condition that makes a run fail: `p99>5ms`, `error-rate>=0.1%`, `rate<10000`.
struct FailCondition: Equatable, Sendable {
  enum Comparison: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  let metric: Metric
  let comparison: Comparison
  /// The bound in the metric's unit; times are in nanoseconds.
  let bound: Double
  /// The text from which the condition was parsed.
  let text: String

  /// Parses a condition.
  ///
  /// - Throws: `UsageError` if the text is not a valid condition.
  init(_ text: String) throws {
    self.text = text
    let words = text.filter { !$0.isWhitespace }
    guard let start = words.firstIndex(where: { "<>".contains($0) }) else {
      throw UsageError(
        "'\(text)' is not a valid condition; write a metric, <, <=, > or >=, and a value, as in 'p99>5ms'")
    }
    let name = words[..<start]
    guard let metric = Metric(rawValue: String(name)) else {
      let names = Metric.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("unknown metric '\(name)' in '\(text)'; valid metrics are \(names)")
    }
    let isOrEqual = words[words.index(after: start)...].hasPrefix("=")
    let value = words[start...].dropFirst(isOrEqual ? 2 : 1)
    guard let comparison = Comparison(rawValue: "\(words[start])\(isOrEqual ? "=" : "")"),
      let bound = metric.unit.parse(value)
    else {
      throw UsageError("invalid value '\(value)' in '\(text)'; \(metric.rawValue) needs \(metric.unit.expectedFormat)")
    }
    self.metric = metric
    self.comparison = comparison
    self.bound = bound
  }

  /// Returns whether the condition holds. A condition on a metric without a value always holds.
  func holds(for report: LoadReport) -> Bool {
    guard let value = metric.value(in: report) else { return true }
    return switch comparison {
    case .less: value < bound
    case .lessOrEqual: value <= bound
    case .greater: value > bound
    case .greaterOrEqual: value >= bound
    }
  }

  /// Returns the condition with the measured value, for the user.
  func explanation(_ report: LoadReport) -> String {
    guard let value = metric.value(in: report) else { return "\(text): no request completed" }
    return "\(text): \(metric.rawValue) was \(metric.unit.text(value))"
  }
}

extension Metric.Unit {
  fileprivate var expectedFormat: String {
    switch self {
    case .time: "a time with its unit, as in 500us, 5ms or 1s"
    case .number: "a number"
    case .share: "a share, as in 0.001 or 0.1%"
    }
  }

  fileprivate func parse(_ text: Substring) -> Double? {
    switch self {
    case .time: return Nanoseconds(text: text).map { Double($0) }
    case .number: return Self.number(text)
    case .share:
      guard text.hasSuffix("%") else { return Self.number(text) }
      return Self.number(text.dropLast()).map { $0 / 100 }
    }
  }

  private static func number(_ text: Substring) -> Double? {
    guard let number = Double(text), number.isFinite, number >= 0 else { return nil }
    return number
  }

  fileprivate func text(_ value: Double) -> String {
    switch self {
    case .time: Figure.time(value)
    case .number: Figure.count(value)
    case .share: Figure.percent(value)
    }
  }
}
