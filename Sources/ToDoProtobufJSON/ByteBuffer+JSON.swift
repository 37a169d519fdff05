import CToDoProtos
import NIOCore

/// Values in JSON.
extension ByteBuffer {
  /// Appends the name of a field in lowerCamelCase, and a colon.
  mutating func writeName(of field: UnsafePointer<ProtobufCFieldDescriptor>) {
    writeInteger(UInt8(ascii: "\""))
    var name = CamelCaseName(field.pointee.name)
    while let byte = name.next() { writeInteger(byte) }
    writeStaticString("\":")
  }

  // MARK: - Numbers

  /// Appends a number, Boolean or value of an enumeration.
  ///
  /// - Parameter bits: what the wire format contains.
  mutating func writeNumber(_ bits: UInt64, of field: UnsafePointer<ProtobufCFieldDescriptor>) {
    switch field.pointee.type {
    case PROTOBUF_C_TYPE_BOOL: writeStaticString(bits == 0 ? "false" : "true")
    case PROTOBUF_C_TYPE_ENUM: writeEnumerationValue(Int32(truncatingIfNeeded: bits), of: field)
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SFIXED32: writeString(String(Int32(truncatingIfNeeded: bits)))
    case PROTOBUF_C_TYPE_SINT32: writeString(String(Int32(truncatingIfNeeded: bits.unzigzagged)))
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32: writeString(String(UInt32(truncatingIfNeeded: bits)))
    case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SFIXED64: writeQuoted(String(Int64(bitPattern: bits)))
    case PROTOBUF_C_TYPE_SINT64: writeQuoted(String(bits.unzigzagged))
    case PROTOBUF_C_TYPE_FLOAT: write(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case PROTOBUF_C_TYPE_DOUBLE: write(Double(bitPattern: bits))
    default: writeQuoted(String(bits))
    }
  }

  private mutating func writeEnumerationValue(_ value: Int32, of field: UnsafePointer<ProtobufCFieldDescriptor>) {
    guard let name = field.enumeration?.first(where: { $0.value == value })?.name else {
      writeString(String(value))
      return
    }
    writeQuoted(String(cString: name))
  }

  /// Appends the shortest decimal form that is read as the same number.
  private mutating func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) {
    guard number.isFinite else {
      writeQuoted(number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity")
      return
    }
    let text = number.description
    writeString(text)
    if text.hasSuffix(".0") { moveWriterIndex(to: writerIndex - 2) }
  }

  // MARK: - Strings

  /// Appends a text that needs no escapes.
  private mutating func writeQuoted(_ text: String) {
    writeInteger(UInt8(ascii: "\""))
    writeString(text)
    writeInteger(UInt8(ascii: "\""))
  }

  /// Appends a text that needs no escapes, if there is one.
  mutating func writeText(_ text: String?) throws(MessageJSONError) {
    guard let text else { throw MessageJSONError(reason: "has no form in JSON") }
    writeQuoted(text)
  }

  /// Appends a text in UTF-8.
  mutating func writeText(_ text: UnsafeRawBufferPointer) throws(MessageJSONError) {
    guard text.isValidUTF8 else { throw MessageJSONError(reason: "isn't valid UTF-8") }
    writeInteger(UInt8(ascii: "\""))
    var start = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    {
      writeBytes(text[start..<index])
      writeEscape(byte)
      start = index + 1
    }
    writeBytes(text[start...])
    writeInteger(UInt8(ascii: "\""))
  }

  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): writeStaticString("\\\"")
    case UInt8(ascii: "\\"): writeStaticString("\\\\")
    case UInt8(ascii: "\n"): writeStaticString("\\n")
    case UInt8(ascii: "\r"): writeStaticString("\\r")
    case UInt8(ascii: "\t"): writeStaticString("\\t")
    default:
      writeStaticString(byte < 0x10 ? "\\u000" : "\\u00")
      writeString(String(byte, radix: 16))
    }
  }

  /// Appends bytes as base64 with padding.
  mutating func writeBase64(_ bytes: UnsafeRawBufferPointer) {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    writeInteger(UInt8(ascii: "\""))
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(UInt32(0)) { $0 << 8 | ($1 < group.count ? UInt32(group[start + $1]) : 0) }
      for digit in 0..<4 {
        let value = Int(bits >> UInt32(18 - 6 * digit) & 63)
        writeInteger(digit <= group.count ? alphabet.utf8Start[value] : UInt8(ascii: "="))
      }
    }
    writeInteger(UInt8(ascii: "\""))
  }

  // MARK: - Messages

  /// Appends a `google.protobuf.FieldMask` as its paths in lowerCamelCase.
  mutating func writeFieldMask(_ message: UnsafeRawBufferPointer) throws(MessageJSONError) {
    writeInteger(UInt8(ascii: "\""))
    var reader = WireReader(message)
    var isFirst = true
    while !reader.isAtEnd {
      guard reader.varint() == 1 << 3 | 2, let path = reader.delimited() else { throw .malformed }
      if !isFirst { writeInteger(UInt8(ascii: ",")) }
      isFirst = false
      try writePath(path)
    }
    writeInteger(UInt8(ascii: "\""))
  }

  private mutating func writePath(_ path: UnsafeRawBufferPointer) throws(MessageJSONError) {
    var isCapital = false
    for byte in path {
      if byte == UInt8(ascii: "_"), !isCapital {
        isCapital = true
      } else {
        guard isCapital ? byte.isLowercaseLetter : byte.isPathCharacter else {
          throw MessageJSONError(reason: "contains a path that has no form in JSON")
        }
        writeInteger(isCapital ? byte - 32 : byte)
        isCapital = false
      }
    }
    guard !isCapital, !path.isEmpty else { throw MessageJSONError(reason: "contains a path that has no form in JSON") }
  }

  /// Appends an entry of a map of texts.
  mutating func writeMapEntry(_ message: UnsafeRawBufferPointer) throws(MessageJSONError) {
    var reader = WireReader(message)
    var texts = [UnsafeRawBufferPointer(start: nil, count: 0), UnsafeRawBufferPointer(start: nil, count: 0)]
    while !reader.isAtEnd {
      guard let tag = reader.varint(), tag & 7 == 2, (1...2).contains(tag >> 3), let text = reader.delimited() else {
        throw .malformed
      }
      texts[Int(tag >> 3) - 1] = text
    }
    try writeText(texts[0])
    writeInteger(UInt8(ascii: ":"))
    try writeText(texts[1])
  }
}

extension UInt64 {
  /// The signed number of which this is the zigzag form.
  fileprivate var unzigzagged: Int64 { Int64(bitPattern: self >> 1) ^ -Int64(bitPattern: self & 1) }
}
