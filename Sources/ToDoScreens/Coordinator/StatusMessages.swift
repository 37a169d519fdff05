import ToDoModel

/// The status line's messages: the failures that the user has not seen, or the last event's notice. Also keeps the latest messages
/// for `MessageScreen`.
///
/// A notice lasts until the next input. Failures last until an input follows the drawing that shows them, and no notice
/// replaces them.
struct StatusMessages: Equatable, Sendable {
  /// A message with the time of its arrival.
  struct Entry: Equatable, Sendable {
    let time: Timestamp
    let text: String
    let isFailure: Bool
  }

  /// The latest messages, the last one last.
  private(set) var latest: [Entry] = []
  private var notice = ""
  private var failures = Failures()

  /// The failures since the user has seen the earlier ones.
  private struct Failures: Equatable {
    var count = 0
    /// The last reason.
    var text = ""
    var haveSameText = true
    var wereDrawn = false
  }

  /// The maximum number of messages that are kept.
  static let limit = 50

  /// Shows a notice that the user need not see again, such as the meaning of a key.
  mutating func show(_ text: String) { notice = text }

  /// Shows the result of an effect, unless a failure is shown.
  mutating func add(_ text: String, at time: Timestamp) {
    notice = text
    append(Entry(time: time, text: text, isFailure: false))
  }

  /// Shows a failure.
  mutating func addFailure(_ text: String, at time: Timestamp) {
    failures.haveSameText = failures.count == 0 || failures.haveSameText && failures.text == text
    failures.count += 1
    failures.text = text
    failures.wereDrawn = false
    append(Entry(time: time, text: text, isFailure: true))
  }

  private mutating func append(_ entry: Entry) {
    latest.append(entry)
    if latest.count > Self.limit { latest.removeFirst() }
  }

  /// Notes that the window with the current text was drawn.
  mutating func noteDrawing() { failures.wereDrawn = true }

  /// Removes what an input ends.
  mutating func noteInput() {
    notice = ""
    if failures.wereDrawn { failures = Failures() }
  }

  /// Returns the text to show, or an empty text.
  ///
  /// - Parameter key: the key or command that shows the latest messages.
  func text(key: String) -> String {
    switch failures.count {
    case 0: notice
    case 1: failures.text
    case let count where failures.haveSameText: "\(count.groupedText) changes failed: \(failures.text)"
    case let count: "\(count.groupedText) changes failed, the last one: \(failures.text) · \(key) shows all"
    }
  }
}
