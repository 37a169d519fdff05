/// A condition under which a run counts as failed: `p99>5ms`, `error-rate>=0.1%`, `rate<10000`.
struct FailCondition: Equatable, Sendable {
  enum Comparison: String, Sendable {
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
  }

  let metric: Metric
  let comparison: Comparison
  /// In the metric's unit; times in nanoseconds.
  let bound: Double
  /// As it was written.
  let text: String

  /// - Throws: `UsageError` that says what is wrong with the text.
  init(_ text: String) throws {
    self.text = text
    let words = text.filter { !$0.isWhitespace }
    guard let start = words.firstIndex(where: { "<>".contains($0) }) else {
      throw UsageError("'\(text)' compares nothing: write a figure, <, <=, > or >=, and a value, as in 'p99>5ms'")
    }
    let name = words[..<start]
    guard let metric = Metric(rawValue: String(name)) else {
      let names = Metric.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("'\(text)' is about '\(name)', which is no figure: there are \(names)")
    }
    let isOrEqual = words[words.index(after: start)...].hasPrefix("=")
    let value = words[start...].dropFirst(isOrEqual ? 2 : 1)
    guard let comparison = Comparison(rawValue: "\(words[start])\(isOrEqual ? "=" : "")"),
      let bound = metric.unit.parse(value)
    else {
      throw UsageError("'\(text)' compares with '\(value)': \(metric.rawValue) needs \(metric.unit.expectedFormat)")
    }
    self.metric = metric
    self.comparison = comparison
    self.bound = bound
  }

  /// A figure that there is none of is not good enough for any condition.
  func holds(for report: LoadReport) -> Bool {
    guard let value = metric.value(in: report) else { return true }
    return switch comparison {
    case .less: value < bound
    case .lessOrEqual: value <= bound
    case .greater: value > bound
    case .greaterOrEqual: value >= bound
    }
  }

  /// What has happened, for people.
  func explanation(_ report: LoadReport) -> String {
    guard let value = metric.value(in: report) else { return "\(text): nothing was answered" }
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
    case .time: return DurationText.nanoseconds(text).map { Double($0) }
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
