/// The times at which an open loop's requests are due, relative to the start of the measured part.
///
/// Requests are numbered from 0.
struct Schedule: Equatable, Sendable {
  /// The rate over time, in requests per second.
  enum Shape: Equatable, Sendable {
    /// A constant rate.
    case constant(Double)
    /// `count` steps of equal length, from the first rate to the last.
    case steps(from: Double, to: Double, count: Int)
    /// A linear change from the first rate to the last.
    case line(from: Double, to: Double)
  }

  let shape: Shape
  let duration: Nanoseconds
  /// The total number of requests.
  let count: Int

  /// Creates a schedule of a given duration.
  init(_ shape: Shape, duration: Nanoseconds) {
    self.shape = shape
    self.duration = duration
    count = Int((shape.meanRate * duration.seconds + Self.tolerance).rounded(.down))
  }

  /// Creates a schedule for a given number of requests.
  init(_ shape: Shape, count: Int) {
    self.shape = shape
    self.count = count
    duration = Nanoseconds((Double(count) / shape.meanRate * 1e9).rounded())
  }

  /// Compensates for rounding, so that ten seconds at 0.1 requests per second contain one request.
  private static let tolerance = 1e-6

  /// The rate at the start, which is also the rate of the warm-up.
  var initialRate: Double {
    switch shape {
    case .constant(let rate), .steps(let rate, _, _), .line(let rate, _): rate
    }
  }

  /// Returns the time at which a request is due.
  func due(_ number: Int) -> Nanoseconds {
    let number = Double(number)
    switch shape {
    case .constant(let rate): return Nanoseconds(number / rate * 1e9)
    case .steps: return Nanoseconds(stepDue(number) * 1e9)
    case .line(let first, let last):
      // After t seconds, first·t + slope·t²/2 requests are due. This solution for t is also valid for a slope of 0.
      let slope = (last - first) / duration.seconds
      let root = max(0, first * first + 2 * slope * number).squareRoot()
      return Nanoseconds(2 * number / (first + root) * 1e9)
    }
  }

  private func stepDue(_ number: Double) -> Double {
    guard case .steps(_, _, let count) = shape else { return 0 }
    let length = duration.seconds / Double(count)
    var left = number
    for step in 0..<count {
      let rate = shape.stepRate(step)
      if left < rate * length || step == count - 1 { return Double(step) * length + left / rate }
      left -= rate * length
    }
    return duration.seconds
  }
}

extension Schedule.Shape {
  var meanRate: Double {
    switch self {
    case .constant(let rate): rate
    case .steps(let first, let last, _), .line(let first, let last): (first + last) / 2
    }
  }

  func stepRate(_ step: Int) -> Double {
    switch self {
    case .constant(let rate): rate
    case .line(let first, _): first
    case .steps(let first, let last, let count):
      count == 1 ? (first + last) / 2 : first + (last - first) * Double(step) / Double(count - 1)
    }
  }
}

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
