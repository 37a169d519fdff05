package import CToDoProtos

/// Validates the bytes of a message before protobuf-c decodes them, and rejects input that protobuf-c should reject.
///
/// protobuf-c 1.4.1 merges a sub-message that occurs twice incorrectly and in quadratic time, so that a frame of 4 MiB
/// occupies it for minutes. It also accepts fields with a wrong wire type. The scan rejects both. It also rejects
/// messages that are nested too deeply, lists that are too long, the field number 0, tags and varints that are too
/// long, groups, and truncated input.
package struct WireFormatValidator {
  /// The next byte. It is read and skipped only after a check that it precedes the end of the message.
  private var next: UnsafeRawPointer
  private var elementsLeft: Int

  /// The maximum depth of nested messages, including the outermost one.
  package static let maximumDepth = 32

  /// Validates a message.
  ///
  /// - Parameter maximumElements: the maximum total number of elements in the message's lists.
  /// - Throws: an error if protobuf-c must not decode the bytes.
  package static func check(
    _ bytes: UnsafeRawBufferPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>,
    maximumElements: Int = .max
  ) throws(DecodingFailure) {
    guard let start = bytes.baseAddress else { return }
    var scan = WireFormatValidator(next: start, elementsLeft: maximumElements)
    try scan.run(to: start + bytes.count, as: descriptor, depth: 1)
  }

  /// Scans the message that ends at `end`, and stops at that position.
  private mutating func run(
    to end: UnsafeRawPointer, as descriptor: UnsafePointer<ProtobufCMessageDescriptor>, depth: Int
  ) throws(DecodingFailure) {
    guard depth <= Self.maximumDepth else { throw .malformed }
    var fields = FieldCursor(descriptor)
    // One bit for each singular sub-message that has occurred, by its index among the fields.
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
      // Lists of numbers are either packed into one value or not. All other fields have one wire type.
      let isPacked = isList && wireType == .lengthDelimited && ownType != .lengthDelimited
      guard wireType == ownType || isPacked else { throw .malformed }
      if isList {
        elementsLeft -= isPacked ? count(of: ownType, from: value, length: length) : 1
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

  /// Returns the number of values in a packed list. A value that is cut off counts.
  private func count(of type: WireType, from start: UnsafeRawPointer, length: Int) -> Int {
    switch type {
    case .fixed64: return (length + 7) / 8
    case .fixed32: return (length + 3) / 4
    case .varint, .lengthDelimited:
      // Only the last byte of a varint has no continuation bit.
      let bytes = UnsafeRawBufferPointer(start: start, count: length)
      return bytes.count { $0 < 0x80 } + (bytes.last.map { $0 >= 0x80 } == true ? 1 : 0)
    }
  }

  /// Returns the number of a value's remaining bytes if they precede the end. Skips a varint or a length.
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

  /// Reads a varint of at most ten bytes, as for a number of 64 bits. Most varints have one byte.
  @inline(__always)
  private mutating func varint(before end: UnsafeRawPointer) -> UInt64? {
    guard next < end else { return nil }
    let first = next.load(as: UInt8.self)
    guard first >= 0x80 else {
      next += 1
      return UInt64(first)
    }
    return next.readVarint(before: end)
  }
}

/// Finds the fields of a message by their numbers. Lookups in ascending order, which is the usual order of fields, are
/// fastest.
private struct FieldCursor {
  /// The fields, in the order of their numbers.
  private let fields: UnsafePointer<ProtobufCFieldDescriptor>?
  private let count: Int
  /// The index of the last found field, or its insertion position.
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
