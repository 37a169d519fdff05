/// The line at the bottom of a terminal that says how far a run is; nothing where nobody looks.
struct StatusLine: Sendable {
  private let print: (@Sendable (String) -> Void)?

  init(_ context: ProgramContext) {
    print = context.errorIsTerminal ? context.printError : nil
  }

  var isVisible: Bool { print != nil }

  /// Replaces what the line said.
  func show(_ text: String) { print?("\r\u{1B}[K\(text)") }

  func clear() { print?("\r\u{1B}[K") }

  /// - Parameter seconds: for how long `progress` was counted.
  static func text(_ progress: Progress, at now: Nanoseconds, seconds: Double) -> String {
    let time = now < 0 ? "warm-up" : "\(Figure.decimal(now.seconds, places: 0)) s"
    let rate = seconds > 0 ? Double(progress.count) / seconds : 0
    return
      "\(time)  \(Figure.count(rate)) a second, p99 \(Figure.time(Double(progress.p99))), \(Figure.count(progress.errors, "error"))"
  }
}
