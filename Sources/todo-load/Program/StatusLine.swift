/// A line at the bottom of a terminal that shows a run's progress. It is disabled if standard error is not a terminal.
struct StatusLine: Sendable {
  private let print: (@Sendable (String) -> Void)?

  init(_ context: ProgramContext) {
    print = context.errorIsTerminal ? context.printError : nil
  }

  var isVisible: Bool { print != nil }

  /// Replaces the text of the line.
  func show(_ text: String) { print?("\r\u{1B}[K\(text)") }

  func clear() { print?("\r\u{1B}[K") }

  /// Returns the text that shows the progress of the measured part.
  ///
  /// - Parameter seconds: The length of the interval that `progress` covers.
  static func text(_ progress: Progress, at now: Nanoseconds, seconds: Double) -> String {
    let time = now < 0 ? "warm-up" : "\(Figure.decimal(now.seconds, places: 0)) s"
    let rate = seconds > 0 ? Double(progress.count) / seconds : 0
    return
      "\(time)  \(Figure.count(rate)) per second, p99 \(Figure.time(Double(progress.p99))), \(Figure.count(progress.errors, "error"))"
  }
}
