import ToDoModel

extension FuzzTarget {
  /// What a person may write for `--due`.
  static let dates = FuzzTarget(name: "dates") { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    _ = try? WhenParser(now: Timestamp(microseconds: 1_777_450_542_000_000), zone: SystemTimeZone()).parse(text)
  }
}
