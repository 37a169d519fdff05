extension Schedule.Shape {
  /// Parses `const`, `step:1000..10000/5` or `line:1000..10000`.
  ///
  /// - Parameter rate: The value of `--rate`, which is the rate of `const`.
  /// - Throws: `UsageError` if the text is not a valid schedule, or the rate is missing or redundant.
  init(_ text: String, rate: Double?) throws {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    switch (parts[0], parts.count) {
    case ("const", 1):
      guard let rate else { throw UsageError("'--schedule const' requires '--rate'") }
      self = .constant(rate)
    case ("step", 2), ("line", 2):
      guard rate == nil else { throw UsageError("'--rate' and '--schedule \(text)' both specify the rate; omit one") }
      self = try Self.changing(parts[0], parts[1])
    default: throw Self.unreadable(text)
    }
  }

  private static func changing(_ kind: Substring, _ text: Substring) throws -> Schedule.Shape {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let (first, last) = rates(parts[0]) else { throw unreadable("\(kind):\(text)") }
    if kind == "line" {
      guard parts.count == 1 else { throw unreadable("line:\(text)") }
      return .line(from: first, to: last)
    }
    guard parts.count == 2, let count = Int(parts[1]), (2...1000).contains(count) else {
      throw UsageError("'step:\(text)' has no valid number of steps, 2 to 1000; write step:1000..10000/5")
    }
    return .steps(from: first, to: last, count: count)
  }

  /// Parses a range of rates such as `0.5..1000`.
  private static func rates(_ text: Substring) -> (first: Double, last: Double)? {
    guard let end = text.indices.first(where: { text[$0...].hasPrefix("..") }), let first = rate(text[..<end]),
      let last = rate(text[end...].dropFirst(2))
    else { return nil }
    return (first, last)
  }

  private static func rate(_ text: Substring) -> Double? {
    guard let rate = Double(text), Self.rates.contains(rate) else { return nil }
    return rate
  }

  /// The valid rates, in requests per second.
  static let rates = 0.1...10_000_000

  private static func unreadable(_ text: String) -> UsageError {
    UsageError("'\(text)' is not a valid schedule; write const, step:1000..10000/5 or line:1000..10000")
  }
}

extension Schedule.Shape: CustomStringConvertible {
  var description: String {
    switch self {
    case .constant(let rate): "\(Figure.count(rate)) per second"
    case .steps(let first, let last, let count):
      "\(Figure.count(first)) to \(Figure.count(last)) per second in \(count) steps"
    case .line(let first, let last): "\(Figure.count(first)) to \(Figure.count(last)) per second, changing linearly"
    }
  }
}
