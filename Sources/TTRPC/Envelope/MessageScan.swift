package import CProtos

/// Looks at the bytes of a message before protobuf-c does, and refuses what it takes and should not.
///
/// protobuf-c 1.4.1 merges a sub-message that occurs twice wrongly and in quadratic time, so that a frame of 4 MiB keeps
/// it busy for minutes; and it takes fields with another wire type than theirs. Both are refused here, as are messages
/// nested too deeply, lists that are too long, the field number 0, tags and varints that are too long, groups, and
/// whatever ends too early.
package struct MessageScan {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var elementsLeft: Int

  /// How deeply messages may be nested in one another, the outermost included.
  package static let maximumDepth = 32

  /// - Parameter maximumElements: how many elements all lists of the message may have together. A list of numbers that
  ///   is packed counts as many as it has bytes.
  /// - Throws: when protobuf-c must not decode the bytes.
  package static func check(
    _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
    maximumElements: Int = .max
  ) throws(DecodingFailure) {
    var scan = MessageScan(bytes: bytes, elementsLeft: maximumElements)
    try scan.run(descriptor, depth: 1)
  }

  private init(bytes: UnsafeRawBufferPointer, elementsLeft: Int) {
    self.bytes = bytes
    self.elementsLeft = elementsLeft
  }

  private mutating func run(
    _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int
  ) throws(DecodingFailure) {
    guard depth <= Self.maximumDepth else { throw .malformed }
    // A bit for each singular sub-message that has occurred, by its place among the fields.
    var seen: UInt64 = 0
    while offset < bytes.count {
      guard let tag = varint(), tag <= UInt32.max, tag >> 3 > 0, let wireType = WireType(rawValue: UInt8(tag & 7)),
        let value = value(of: wireType)
      else { throw .malformed }
      guard let field = protobuf_c_message_descriptor_get_field(descriptor, UInt32(tag >> 3)) else { continue }
      guard WireType.isRight(wireType, for: field.pointee) else { throw .malformed }
      if field.pointee.label == PROTOBUF_C_LABEL_REPEATED { try countElements(wireType, of: field.pointee, in: value) }
      guard field.pointee.type == PROTOBUF_C_TYPE_MESSAGE, let inner = field.pointee.descriptor else { continue }
      if field.pointee.label != PROTOBUF_C_LABEL_REPEATED {
        let bit = UInt64(1) << UInt64(field - descriptor.pointee.fields)
        guard seen & bit == 0 else { throw .malformed }
        seen |= bit
      }
      var scan = MessageScan(bytes: value, elementsLeft: elementsLeft)
      try scan.run(inner.assumingMemoryBound(to: ProtobufCMessageDescriptor.self), depth: depth + 1)
      elementsLeft = scan.elementsLeft
    }
  }

  private mutating func countElements(
    _ wireType: WireType, of field: ProtobufCFieldDescriptor, in value: UnsafeRawBufferPointer
  ) throws(DecodingFailure) {
    let isPacked = wireType == .lengthDelimited && WireType(of: field.type) != .lengthDelimited
    elementsLeft -= isPacked ? value.count : 1
    if elementsLeft < 0 { throw .tooManyElements }
  }

  /// Steps over a value; for a length-delimited one returns what it holds.
  private mutating func value(of wireType: WireType) -> UnsafeRawBufferPointer? {
    let length: Int
    switch wireType {
    case .varint:
      guard varint() != nil else { return nil }
      length = 0
    case .fixed64: length = 8
    case .fixed32: length = 4
    case .lengthDelimited:
      guard let announced = varint(), announced <= UInt64(bytes.count - offset) else { return nil }
      length = Int(announced)
    }
    guard length <= bytes.count - offset else { return nil }
    defer { offset += length }
    return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
  }

  /// At most ten bytes, as for a number of 64 bits.
  private mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}

/// How a field's value is laid out. Groups, which proto3 does not have, are not among them.
private enum WireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5

  /// Lists of numbers come packed into one value or one by one; all else has one wire type.
  static func isRight(_ wireType: WireType, for field: ProtobufCFieldDescriptor) -> Bool {
    let ofOne = WireType(of: field.type)
    return wireType == ofOne
      || wireType == .lengthDelimited && field.label == PROTOBUF_C_LABEL_REPEATED && ofOne != .lengthDelimited
  }

  init(of type: ProtobufCType) {
    switch type {
    case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE: self = .lengthDelimited
    case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: self = .fixed32
    case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: self = .fixed64
    default: self = .varint
    }
  }
}
