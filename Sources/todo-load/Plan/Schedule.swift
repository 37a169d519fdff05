/// When each request of an open loop is due, counted from the beginning of the measured part.
///
/// The requests have numbers from 0; how many there are, and for how long, follows from the rates.
struct Schedule: Equatable, Sendable {
  /// How the rate goes, in requests a second.
  enum Shape: Equatable, Sendable {
    /// The same all the time.
    case constant(Double)
    /// In `count` steps of the same length, from the first rate to the last.
    case steps(from: Double, to: Double, count: Int)
    /// Evenly from the first rate to the last.
    case line(from: Double, to: Double)
  }

  let shape: Shape
  let duration: Nanoseconds
  /// How many requests are due in all.
  let count: Int

  /// A schedule that ends after a time.
  init(_ shape: Shape, duration: Nanoseconds) {
    self.shape = shape
    self.duration = duration
    count = Int((shape.meanRate * duration.seconds + Self.tolerance).rounded(.down))
  }

  /// A schedule that ends after so many requests.
  init(_ shape: Shape, count: Int) {
    self.shape = shape
    self.count = count
    duration = Nanoseconds((Double(count) / shape.meanRate * 1e9).rounded())
  }

  /// So that ten times a tenth is one.
  private static let tolerance = 1e-6

  /// The rate that it begins with, which is that of the warm-up too.
  var initialRate: Double {
    switch shape {
    case .constant(let rate), .steps(let rate, _, _), .line(let rate, _): rate
    }
  }

  /// When a request is due.
  func due(_ number: Int) -> Nanoseconds {
    let number = Double(number)
    switch shape {
    case .constant(let rate): return Nanoseconds(number / rate * 1e9)
    case .steps: return Nanoseconds(stepDue(number) * 1e9)
    case .line(let first, let last):
      // The number due after t seconds is first·t + slope·t²/2: solved for t, in the form that bears a slope of 0.
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
