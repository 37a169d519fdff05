package import CProtos

/// Looks at the bytes of a message before protobuf-c does, and refuses what it takes and should not.
///
/// protobuf-c 1.4.1 merges a sub-message that occurs twice wrongly and in quadratic time, so that a frame of 4 MiB keeps
/// it busy for minutes; and it takes fields with another wire type than theirs. Both are refused here, as are messages
/// nested too deeply, lists that are too long, the field number 0, tags and varints that are too long, groups, and
/// whatever ends too early.
package struct MessageScan {
  /// The next byte. It is read, and stepped over, only where it was seen to lie before the end of the message.
  private var next: UnsafeRawPointer
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
    guard let start = bytes.baseAddress else { return }
    var scan = MessageScan(next: start, elementsLeft: maximumElements)
    try scan.run(to: start + bytes.count, as: descriptor, depth: 1)
  }

  /// Scans the message that ends at `end`, and stops there.
  private mutating func run(
    to end: UnsafeRawPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int
  ) throws(DecodingFailure) {
    guard depth <= Self.maximumDepth else { throw .malformed }
    var fields = FieldCursor(descriptor)
    // A bit for each singular sub-message that has occurred, by its place among the fields.
    var seen: UInt64 = 0
    while next < end {
      guard let tag = varint(before: end), tag <= UInt32.max, tag >> 3 > 0,
        let wireType = WireType(rawValue: UInt8(tag & 7)), let length = length(of: wireType, before: end)
      else { throw .malformed }
      let value = next
      next += length
      guard let field = fields.find(UInt32(tag >> 3)) else { continue }
      let isList = field.pointee.label == PROTOBUF_C_LABEL_REPEATED
      let ownType = WireType(of: field.pointee.type)
      // Lists of numbers come packed into one value or one by one; all else has one wire type.
      let isPacked = isList && wireType == .lengthDelimited && ownType != .lengthDelimited
      guard wireType == ownType || isPacked else { throw .malformed }
      if isList {
        elementsLeft -= isPacked ? length : 1
        if elementsLeft < 0 { throw .tooManyElements }
      }
      guard field.pointee.type == PROTOBUF_C_TYPE_MESSAGE, let inner = field.pointee.descriptor else { continue }
      if !isList {
        let bit = UInt64(1) << UInt64(fields.place)
        guard seen & bit == 0 else { throw .malformed }
        seen |= bit
      }
      next = value
      try run(
        to: value + length, as: inner.assumingMemoryBound(to: ProtobufCMessageDescriptor.self), depth: depth + 1)
    }
  }

  /// How many bytes of a value are ahead, and lie before the end: a varint is stepped over, and a length.
  @inline(__always)
  private mutating func length(of wireType: WireType, before end: UnsafeRawPointer) -> Int? {
    let length: UInt64
    switch wireType {
    case .varint: return varint(before: end) == nil ? nil : 0
    case .fixed64: length = 8
    case .fixed32: length = 4
    case .lengthDelimited:
      guard let announced = varint(before: end) else { return nil }
      length = announced
    }
    return length <= UInt64(end - next) ? Int(length) : nil
  }

  /// At most ten bytes, as for a number of 64 bits; most have one.
  @inline(__always)
  private mutating func varint(before end: UnsafeRawPointer) -> UInt64? {
    guard next < end else { return nil }
    let first = next.load(as: UInt8.self)
    next += 1
    return first < 0x80 ? UInt64(first) : longVarint(first, before: end)
  }

  private mutating func longVarint(_ first: UInt8, before end: UnsafeRawPointer) -> UInt64? {
    var value = UInt64(first & 0x7F)
    for shift in stride(from: UInt64(7), to: 70, by: 7) {
      guard next < end else { return nil }
      let byte = next.load(as: UInt8.self)
      next += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}

/// Finds the fields of a message by their numbers, fastest in the order of these, in which they come as a rule.
private struct FieldCursor {
  /// In the order of their numbers.
  private let fields: UnsafePointer<ProtobufCFieldDescriptor>?
  private let count: Int
  /// Where among the fields the one found last is, or would be.
  private(set) var place = 0

  init(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>) {
    fields = descriptor.pointee.fields
    count = Int(descriptor.pointee.n_fields)
  }

  @inline(__always)
  mutating func find(_ number: UInt32) -> UnsafePointer<ProtobufCFieldDescriptor>? {
    guard let fields else { return nil }
    if place == count || fields[place].id > number { place = 0 }
    while place < count, fields[place].id < number { place += 1 }
    return place < count && fields[place].id == number ? fields + place : nil
  }
}

/// How a field's value is laid out. Groups, which proto3 does not have, are not among them.
private enum WireType: UInt8 {
  case varint = 0
  case fixed64 = 1
  case lengthDelimited = 2
  case fixed32 = 5

  init(of type: ProtobufCType) {
    switch type {
    case PROTOBUF_C_TYPE_STRING, PROTOBUF_C_TYPE_BYTES, PROTOBUF_C_TYPE_MESSAGE: self = .lengthDelimited
    case PROTOBUF_C_TYPE_FIXED32, PROTOBUF_C_TYPE_SFIXED32, PROTOBUF_C_TYPE_FLOAT: self = .fixed32
    case PROTOBUF_C_TYPE_FIXED64, PROTOBUF_C_TYPE_SFIXED64, PROTOBUF_C_TYPE_DOUBLE: self = .fixed64
    default: self = .varint
    }
  }
}
