import ToDoModel

@testable import todo

extension Timestamp {
  /// Reads RFC 3339, for tests.
  init?(_ text: String) {
    let parser = WhenParser(now: Timestamp(microseconds: 0), zone: FixedZone())
    guard case .time(let instant)? = try? parser.parse(text) else { return nil }
    self = instant
  }
}
