import ToDoModel
import ToDoText

extension FuzzTarget {
  /// The parser of the option `--due`.
  static let dates = FuzzTarget(name: "dates") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? DueDateParser(now: Timestamp(microseconds: 1_777_450_542_000_000), zone: SystemTimeZone()).parse(text)
  }
}
