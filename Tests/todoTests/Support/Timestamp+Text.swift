import ToDoModel

@testable import todo

extension Timestamp {
  /// Parses RFC 3339.
  init?(_ text: String) {
    let parser = DueDateParser(now: Timestamp(microseconds: 0), zone: FixedZone())
    guard case .time(let instant)? = try? parser.parse(text) else { return nil }
    self = instant
  }
}
