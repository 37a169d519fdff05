import CToDoProtos

/// Values in JSON.
extension ByteWriter {
  /// Appends the name of a field in lowerCamelCase, and a colon.
  mutating func writeName(of field: UnsafePointer<ProtobufCFieldDescriptor>) {
    append(character: "\"")
    var name = CamelCaseName(field.pointee.name)
    while let byte = name.next() { append(byte) }
    append(text: "\":")
  }

  // MARK: - Numbers

  /// Appends a number, Boolean or value of an enumeration.
  ///
  /// - Parameter bits: the value in the wire format.
  mutating func writeNumber(_ bits: UInt64, of field: UnsafePointer<ProtobufCFieldDescriptor>) {
    switch field.pointee.type {
    case PROTOBUF_C_TYPE_BOOL: append(text: bits == 0 ? "false" : "true")
    case PROTOBUF_C_TYPE_ENUM: writeEnumerationValue(Int32(truncatingIfNeeded: bits), of: field)
    case PROTOBUF_C_TYPE_INT32, PROTOBUF_C_TYPE_SFIXED32: appendInteger(Int64(Int32(truncatingIfNeeded: bits)))
    case PROTOBUF_C_TYPE_SINT32: appendInteger(bits.unzigzagged)
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32: appendDecimal(bits & 0xFFFF_FFFF)
    case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SFIXED64: writeQuoted { $0.appendInteger(Int64(bitPattern: bits)) }
    case PROTOBUF_C_TYPE_SINT64: writeQuoted { $0.appendInteger(bits.unzigzagged) }
    case PROTOBUF_C_TYPE_FLOAT: write(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case PROTOBUF_C_TYPE_DOUBLE: write(Double(bitPattern: bits))
    default: writeQuoted { $0.appendDecimal(bits) }
    }
  }

  private mutating func writeEnumerationValue(_ value: Int32, of field: UnsafePointer<ProtobufCFieldDescriptor>) {
    guard let name = field.enumeration?.first(where: { $0.value == value })?.name else {
      appendInteger(Int64(value))
      return
    }
    writeQuoted { $0.append(name) }
  }

  private mutating func appendInteger(_ number: Int64) {
    if number < 0 { append(character: "-") }
    appendDecimal(number.magnitude)
  }

  /// Appends a C string.
  private mutating func append(_ text: UnsafePointer<CChar>) {
    var rest = text
    while rest.pointee != 0 {
      append(UInt8(truncatingIfNeeded: rest.pointee))
      rest += 1
    }
  }

  /// Appends the shortest decimal form that is read as the same number.
  private mutating func write<Number: BinaryFloatingPoint & LosslessStringConvertible>(_ number: Number) {
    guard number.isFinite else {
      writeQuoted { $0.append(text: number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity") }
      return
    }
    let text = number.description
    append(string: text)
    if text.hasSuffix(".0") { truncate(to: count - 2) }
  }

  // MARK: - Strings

  /// Appends quotes, and between them the text that a function appends.
  private mutating func writeQuoted(_ body: (inout ByteWriter) -> Void) {
    append(character: "\"")
    body(&self)
    append(character: "\"")
  }

  /// Appends a text in UTF-8.
  mutating func writeText(_ text: UnsafeRawBufferPointer) throws(MessageJSONError) {
    guard text.isValidUTF8 else { throw MessageJSONError(reason: "isn't valid UTF-8") }
    append(character: "\"")
    var start = 0
    for (index, byte) in text.enumerated() where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    {
      append(text[start..<index])
      writeEscape(byte)
      start = index + 1
    }
    append(text[start...])
    append(character: "\"")
  }

  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append(text: "\\\"")
    case UInt8(ascii: "\\"): append(text: "\\\\")
    case UInt8(ascii: "\n"): append(text: "\\n")
    case UInt8(ascii: "\r"): append(text: "\\r")
    case UInt8(ascii: "\t"): append(text: "\\t")
    default:
      append(text: byte < 0x10 ? "\\u000" : "\\u001")
      append(UInt8(ascii: byte & 15 < 10 ? "0" : "a") + (byte & 15) % 10)
    }
  }

  /// Appends bytes as base64 with padding.
  mutating func writeBase64(_ bytes: UnsafeRawBufferPointer) {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    append(character: "\"")
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = (0..<3).reduce(UInt32(0)) { $0 << 8 | ($1 < group.count ? UInt32(group[start + $1]) : 0) }
      for digit in 0..<4 {
        let value = Int(bits >> UInt32(18 - 6 * digit) & 63)
        append(digit <= group.count ? alphabet.utf8Start[value] : UInt8(ascii: "="))
      }
    }
    append(character: "\"")
  }

  // MARK: - Messages

  /// Appends a `google.protobuf.FieldMask` as its paths in lowerCamelCase.
  mutating func writeFieldMask(_ message: UnsafeRawBufferPointer) throws(MessageJSONError) {
    append(character: "\"")
    var reader = WireReader(message)
    var isFirst = true
    while !reader.isAtEnd {
      guard reader.varint() == 1 << 3 | 2, let path = reader.delimited() else { throw .malformed }
      if !isFirst { append(character: ",") }
      isFirst = false
      try writePath(path)
    }
    append(character: "\"")
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
        append(isCapital ? byte - 32 : byte)
        isCapital = false
      }
    }
    guard !isCapital, !path.isEmpty else { throw MessageJSONError(reason: "contains a path that has no form in JSON") }
  }

  /// Appends an entry of a text map.
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
    append(character: ":")
    try writeText(texts[1])
  }
}

extension UInt64 {
  /// The signed number whose zigzag form this is.
  fileprivate var unzigzagged: Int64 { Int64(bitPattern: self >> 1) ^ -Int64(bitPattern: self & 1) }
}
