/// The times at which the requests of an open loop are due, relative to the start of the measured part.
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

  /// Creates a schedule of a given number of requests.
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
