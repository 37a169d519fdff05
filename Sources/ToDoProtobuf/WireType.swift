package import CToDoProtos

/// The encoding of a field's value. Groups, which proto3 does not have, are omitted.
package enum WireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5

  package init(of type: ProtobufCType) {
    switch type {
    case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE: self = .lengthDelimited
    case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: self = .fixed32
    case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: self = .fixed64
    default: self = .varint
    }
  }
}

extension UnsafeRawPointer {
  /// Reads a varint of at most ten bytes, as for a number of 64 bits. Returns `nil` if it is cut off or longer; the position is
  /// undefined then.
  package mutating func readVarint(before end: UnsafeRawPointer) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard self < end else { return nil }
      let byte = load(as: UInt8.self)
      self += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
