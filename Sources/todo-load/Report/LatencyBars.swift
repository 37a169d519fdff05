import Histogram

/// A histogram of latencies for text output, with six bars per power of ten.
struct LatencyBars: Equatable, Sendable {
  struct Bar: Equatable, Sendable {
    /// The lower bound, inclusive.
    var from: Nanoseconds
    /// The upper bound, exclusive.
    var to: Nanoseconds
    var count: Int
  }

  /// The bars from the lowest to the highest that is not empty, without gaps.
  let bars: [Bar]

  init(_ latencies: Recorder.Latencies) {
    var bars: [Bar] = []
    for value in latencies.recordedValues() {
      let from = Self.step(atOrBelow: Nanoseconds(clamping: value.value))
      while let last = bars.last, last.from < from { bars.append(Self.bar(last.to)) }
      if bars.isEmpty { bars.append(Self.bar(from)) }
      bars[bars.count - 1].count += Int(value.count)
    }
    self.bars = bars
  }

  private static func bar(_ from: Nanoseconds) -> Bar { Bar(from: from, to: step(after: from), count: 0) }

  /// The bars' lower bounds, in tenths of a power of ten.
  private static let steps: [Nanoseconds] = [10, 15, 20, 30, 50, 70]

  private static func step(atOrBelow value: Nanoseconds) -> Nanoseconds {
    var scale: Nanoseconds = 10
    guard value >= 100 else { return 0 }
    while value >= scale * 100 { scale *= 10 }
    return scale * (steps.last { scale * $0 <= value } ?? 10)
  }

  private static func step(after from: Nanoseconds) -> Nanoseconds {
    guard from > 0 else { return 100 }
    var scale: Nanoseconds = 10
    while from >= scale * 100 { scale *= 10 }
    return scale * (steps.first { scale * $0 > from } ?? 100)
  }

  /// Returns a line for each bar.
  ///
  /// - Parameter width: The width of the longest bar, in characters.
  func lines(width: Int) -> [String] {
    let total = bars.reduce(0) { $0 + $1.count }
    guard let maximum = bars.map(\.count).max(), maximum > 0 else { return [] }
    return bars.map { bar in
      let length = (Double(bar.count) / Double(maximum) * Double(width) * 8).rounded(.up)
      let range = "\(Figure.time(Double(bar.from))) – \(Figure.time(Double(bar.to)))"
      let share = Figure.percent(Double(bar.count) / Double(total))
      return
        "  \(range.padded(toLeft: 17))  \(Self.draw(eighths: Int(length)).padded(to: width))  \(share.padded(toLeft: 9))"
    }
  }

  private static func draw(eighths: Int) -> String {
    let rest = eighths % 8
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[rest]
  }
}

extension String {
  /// Returns the string with spaces appended up to a width.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  /// Returns the string with spaces prepended up to a width.
  func padded(toLeft width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
