/// The bytes of a protobuf message, built field by field, so that tests can create any invalid message.
public struct ProtobufBytes: Equatable, Sendable {
  public private(set) var bytes: [UInt8]

  public init(_ bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Appends a field with bytes, text or a message.
  public func field(_ number: UInt64, _ value: [UInt8]) -> ProtobufBytes {
    appending(number << 3 | 2) { $0 += Self.varint(UInt64(value.count)) + value }
  }

  public func field(_ number: UInt64, _ value: String) -> ProtobufBytes { field(number, Array(value.utf8)) }

  public func field(_ number: UInt64, _ value: ProtobufBytes) -> ProtobufBytes { field(number, value.bytes) }

  /// Appends a field with an integer, a Boolean or an enumeration value.
  public func field(_ number: UInt64, _ value: Int64) -> ProtobufBytes {
    appending(number << 3) { $0 += Self.varint(UInt64(bitPattern: value)) }
  }

  public func double(_ number: UInt64, _ value: Double) -> ProtobufBytes {
    appending(number << 3 | 1) { bytes in
      for shift in stride(from: UInt64(0), to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> shift))
      }
    }
  }

  private func appending(_ tag: UInt64, _ write: (inout [UInt8]) -> Void) -> ProtobufBytes {
    var copy = self
    copy.bytes += Self.varint(tag)
    write(&copy.bytes)
    return copy
  }

  private static func varint(_ number: UInt64) -> [UInt8] {
    number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7f) | 0x80] + varint(number >> 7)
  }
}
