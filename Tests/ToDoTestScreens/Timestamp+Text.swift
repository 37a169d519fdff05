import ToDoModel
import ToDoText

extension Timestamp {
  /// Parses RFC 3339.
  package init?(_ text: String) {
    let parser = DueDateParser(now: Timestamp(microseconds: 0), zone: FixedZone())
    guard case .time(let instant)? = try? parser.parse(text) else { return nil }
    self = instant
  }
}
