import CToDoProtos
import ToDoModel
import ToDoProtobuf

extension Timestamp {
  /// Decodes a time, rounding nanoseconds down. Returns `nil` if the time is outside the years 1 to 9999, or if the
  /// nanoseconds are out of range.
  init?(_ message: Google__Protobuf__Timestamp) {
    guard (0..<1_000_000_000).contains(message.nanos),
      (-62_135_596_800...253_402_300_799).contains(message.seconds)
    else { return nil }
    self.init(microseconds: message.seconds * 1_000_000 + Int64(message.nanos / 1000))
  }

  func message(in arena: Arena) -> UnsafeMutablePointer<Google__Protobuf__Timestamp> {
    let (seconds, fraction) = microseconds.flooredDivision(by: 1_000_000)
    let message = arena.make(google__protobuf__timestamp__init)
    message.pointee.seconds = seconds
    message.pointee.nanos = Int32(fraction) * 1000
    return message
  }
}
