import CToDoProtos
import ToDoProtobuf

/// Writes the wire format of a JSON text while it reads the text.
struct JSONMessageDecoder {
  private var reader: JSONReader
  private let schema: MessageSchema
  private let maximumSize: Int
  private var elementsLeft: Int

  init(
    _ json: UnsafeRawBufferPointer, _ schema: MessageSchema, maximumSize: Int, maximumElements: Int
  ) throws(MessageJSONError) {
    reader = try JSONReader(json)
    self.schema = schema
    self.maximumSize = maximumSize
    elementsLeft = maximumElements
  }

  /// Appends the message that is the whole text.
  mutating func decode(
    _ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, into message: inout ByteWriter
  ) throws(MessageJSONError) {
    try writeMessage(descriptor, into: &message, depth: 1)
    try reader.end()
  }

  // MARK: - Messages

  private mutating func writeMessage(
    _ type: UnsafePointer<ProtobufCMessageDescriptor>, into message: inout ByteWriter, depth: Int
  ) throws(MessageJSONError) {
    guard depth <= MessageJSON.maximumDepth else { throw .tooDeep }
    switch type.wellKnownType {
    case nil: break
    case .timestamp: return try writeTimestamp(into: &message)
    case .duration: return try writeDuration(into: &message)
    case .fieldMask: return try writeFieldMask(into: &message)
    case .any: return try writeAny(into: &message, depth: depth)
    }
    guard try reader.open("{", "}", "an object") else { return }
    var members = MemberCursor(type)
    repeat {
      guard let field = try members.find(reader.name()) else {
        try reader.skipValue(depth: MessageJSON.maximumDepth - depth)
        continue
      }
      do throws(MessageJSONError) {
        try members.checkIsFirst(field)
        guard !reader.skip(literal: "null") else { continue }
        try members.checkOneof(of: field)
        try writeField(field, of: type, into: &message, depth: depth)
      } catch { throw error.inside(String(cString: field.pointee.name)) }
    } while try reader.hasNext(before: "}")
  }

  /// Writes an Any. The member `@type` names the type of its message, whose fields are the other members.
  private mutating func writeAny(into message: inout ByteWriter, depth: Int) throws(MessageJSONError) {
    var members = reader
    guard schema.hasAnyTypes, let url = try members.typeURL(depth: MessageJSON.maximumDepth - depth),
      let type = schema.anyType(at: url.text)
    else { throw MessageJSONError(reason: "can't be decoded") }
    message.appendTag(1, .lengthDelimited)
    let start = message.beginDelimited()
    url.write(to: &message)
    message.endDelimited(start)
    message.appendTag(2, .lengthDelimited)
    let valueStart = message.beginDelimited()
    try writeMessage(type, into: &message, depth: depth + 1)
    message.endDelimited(valueStart)
  }

  private mutating func writeField(
    _ field: UnsafePointer<ProtobufCFieldDescriptor>, of type: UnsafePointer<ProtobufCMessageDescriptor>,
    into message: inout ByteWriter, depth: Int
  ) throws(MessageJSONError) {
    if let inner = field.messageType, inner.isMapEntry(of: field) {
      return try writeMap(field, inner, into: &message)
    }
    guard !field.isList else { return try writeList(field, of: type, into: &message, depth: depth) }
    let start = message.count
    if field.wireType == .lengthDelimited {
      let content = try writeDelimited(field, of: type, into: &message, depth: depth)
      if content == 0, field.isImplicit, field.messageType == nil { message.truncate(to: start) }
    } else {
      let bits = try number(of: field)
      guard bits != 0 || !field.isImplicit else { return }
      message.appendTag(field.pointee.id, field.wireType)
      message.appendNumber(bits, field.wireType)
    }
    try check(message.count)
  }

  /// Writes a text, bytes or a message with its tag. Returns the length of the content.
  private mutating func writeDelimited(
    _ field: UnsafePointer<ProtobufCFieldDescriptor>, of type: UnsafePointer<ProtobufCMessageDescriptor>,
    into message: inout ByteWriter, depth: Int
  ) throws(MessageJSONError) -> Int {
    message.appendTag(field.pointee.id, .lengthDelimited)
    let start = message.beginDelimited()
    if let inner = field.messageType {
      try writeMessage(inner, into: &message, depth: depth + 1)
    } else if schema.hasBytes(field, of: type) {
      try writeBytes(into: &message)
    } else {
      try reader.string().write(to: &message)
    }
    let length = message.count - start
    message.endDelimited(start)
    return length
  }

  // MARK: - Lists

  private mutating func writeList(
    _ field: UnsafePointer<ProtobufCFieldDescriptor>, of type: UnsafePointer<ProtobufCMessageDescriptor>,
    into message: inout ByteWriter, depth: Int
  ) throws(MessageJSONError) {
    guard try reader.open("[", "]", "an array") else { return }
    let isPacked = field.wireType != .lengthDelimited
    var start = 0
    if isPacked {
      message.appendTag(field.pointee.id, .lengthDelimited)
      start = message.beginDelimited()
    }
    var index = 0
    repeat {
      do throws(MessageJSONError) {
        if isPacked {
          message.appendNumber(try number(of: field), field.wireType)
        } else {
          _ = try writeDelimited(field, of: type, into: &message, depth: depth)
        }
      } catch { throw error.inside(element: index) }
      try countElement(in: message.count)
      index += 1
    } while try reader.hasNext(before: "]")
    if isPacked { message.endDelimited(start) }
  }

  /// Writes a text map as the list of its entries.
  private mutating func writeMap(
    _ field: UnsafePointer<ProtobufCFieldDescriptor>, _ entry: UnsafePointer<ProtobufCMessageDescriptor>,
    into message: inout ByteWriter
  ) throws(MessageJSONError) {
    var keys: Set<String> = []
    guard try reader.open("{", "}", "an object") else { return }
    repeat {
      let key = try reader.name()
      guard keys.insert(key.text).inserted else { throw MessageJSONError(reason: "a key occurs twice") }
      message.appendTag(field.pointee.id, .lengthDelimited)
      let start = message.beginDelimited()
      for (text, number) in [(key, UInt32(1)), (try reader.string(), 2)] {
        message.appendTag(number, .lengthDelimited)
        let start = message.beginDelimited()
        text.write(to: &message)
        message.endDelimited(start)
      }
      message.endDelimited(start)
      try countElement(in: message.count)
    } while try reader.hasNext(before: "}")
  }

  /// Counts an element of a list. The message has the given size after it.
  private mutating func countElement(in size: Int) throws(MessageJSONError) {
    elementsLeft -= 1
    guard elementsLeft >= 0 else { throw .tooManyElements }
    try check(size)
  }

  private func check(_ size: Int) throws(MessageJSONError) {
    guard size <= maximumSize else { throw .tooLarge }
  }
}

// MARK: - Numbers

extension JSONMessageDecoder {
  /// Reads a number, a Boolean or an enumeration's value. Returns the value in the wire format: that of a varint, or the
  /// bits of a number of constant size.
  private mutating func number(of field: UnsafePointer<ProtobufCFieldDescriptor>) throws(MessageJSONError) -> UInt64 {
    switch field.pointee.type {
    case PROTOBUF_C_TYPE_BOOL: return try reader.bool() ? 1 : 0
    case PROTOBUF_C_TYPE_ENUM: return try enumerationValue(of: field)
    case PROTOBUF_C_TYPE_INT32: return UInt64(bitPattern: Int64(try integer(Int32.self, "int32")))
    case PROTOBUF_C_TYPE_SFIXED32: return UInt64(UInt32(bitPattern: try integer(Int32.self, "sfixed32")))
    case PROTOBUF_C_TYPE_SINT32: return Int64(try integer(Int32.self, "sint32")).zigzag
    case PROTOBUF_C_TYPE_UINT32, PROTOBUF_C_TYPE_FIXED32: return UInt64(try integer(UInt32.self, "uint32"))
    case PROTOBUF_C_TYPE_INT64, PROTOBUF_C_TYPE_SFIXED64: return UInt64(bitPattern: try integer(Int64.self, "int64"))
    case PROTOBUF_C_TYPE_SINT64: return try integer(Int64.self, "sint64").zigzag
    case PROTOBUF_C_TYPE_FLOAT: return try float()
    case PROTOBUF_C_TYPE_DOUBLE: return try double()
    default: return try integer(UInt64.self, "uint64")
    }
  }

  private mutating func integer<Value: FixedWidthInteger>(
    _ type: Value.Type, _ name: StaticString
  ) throws(MessageJSONError) -> Value {
    guard let integer = try number(in: "an integer").integer else { throw MessageJSONError(reason: "isn't an integer") }
    guard let value = integer.value(as: type) else {
      throw MessageJSONError(reason: "is out of the range of \(name)")
    }
    return value
  }

  /// Reads a number, or one in a string.
  private mutating func number(in description: StaticString) throws(MessageJSONError) -> JSONNumber {
    let number: JSONNumber
    switch reader.peek() {
    case UInt8(ascii: "\""):
      let string = try reader.string()
      guard !string.hasEscapes, let quoted = JSONNumber(string.content) else {
        throw MessageJSONError(reason: "isn't \(description)")
      }
      number = quoted
    case let byte? where byte.startsNumber: number = try reader.number()
    default: throw .expected(description, at: reader.offset)
    }
    guard !number.isTooLong else {
      throw MessageJSONError(reason: "has more than \(JSONNumber.maximumLength) characters")
    }
    return number
  }

  private mutating func double() throws(MessageJSONError) -> UInt64 {
    if let special = specialNumber() { return special.bitPattern }
    guard let value = try number(in: "a number").double, value.isFinite else {
      throw MessageJSONError(reason: "is out of the range of double")
    }
    return value.bitPattern
  }

  private mutating func float() throws(MessageJSONError) -> UInt64 {
    if let special = specialNumber() { return UInt64(Float(special).bitPattern) }
    guard let value = try number(in: "a number").float, value.isFinite else {
      throw MessageJSONError(reason: "is out of the range of float")
    }
    return UInt64(value.bitPattern)
  }

  private mutating func specialNumber() -> Double? {
    if reader.skip(literal: "\"NaN\"") { return .nan }
    if reader.skip(literal: "\"Infinity\"") { return .infinity }
    return reader.skip(literal: "\"-Infinity\"") ? -.infinity : nil
  }

  private mutating func enumerationValue(
    of field: UnsafePointer<ProtobufCFieldDescriptor>
  ) throws(MessageJSONError) -> UInt64 {
    guard reader.peek() == UInt8(ascii: "\"") else {
      return UInt64(bitPattern: Int64(try integer(Int32.self, "an enumeration")))
    }
    let value = try reader.string().withUTF8 { (name) throws(MessageJSONError) in
      field.enumeration?.first { $0.name.isName(name) }?.value
    }
    // Ignoring the name would leave the default, which can select more than the client asks for.
    guard let value else { throw MessageJSONError(reason: "isn't a value of the enumeration") }
    return UInt64(bitPattern: Int64(value))
  }
}

// MARK: - Strings

extension JSONMessageDecoder {
  /// Appends the bytes that a string contains as base64.
  private mutating func writeBytes(into message: inout ByteWriter) throws(MessageJSONError) {
    let isValid = try reader.string().withUTF8 { (text) throws(MessageJSONError) in message.appendBase64Decoded(text) }
    guard isValid else { throw MessageJSONError(reason: "isn't base64") }
  }

  private mutating func writeTimestamp(into message: inout ByteWriter) throws(MessageJSONError) {
    let time = try reader.string().withUTF8 { (text) throws(MessageJSONError) in JSONTime(timestamp: text) }
    guard let time else {
      throw MessageJSONError(reason: "isn't a time such as 2026-01-31T12:00:00Z of the years 1 to 9999")
    }
    time.write(to: &message)
  }

  private mutating func writeDuration(into message: inout ByteWriter) throws(MessageJSONError) {
    let time = try reader.string().withUTF8 { (text) throws(MessageJSONError) in JSONTime(duration: text) }
    guard let time else { throw MessageJSONError(reason: "isn't a duration such as 1.5s of at most 10,000 years") }
    time.write(to: &message)
  }

  /// Appends the paths of a mask, whose names are separated by commas.
  private mutating func writeFieldMask(into message: inout ByteWriter) throws(MessageJSONError) {
    try reader.string().withUTF8 { (text) throws(MessageJSONError) in
      guard !text.isEmpty else { return }
      var start = 0
      while start <= text.count {
        let end = text[start...].firstIndex(of: UInt8(ascii: ",")) ?? text.count
        try writePath(UnsafeRawBufferPointer(rebasing: text[start..<end]), into: &message)
        try countElement(in: message.count)
        start = end + 1
      }
    }
  }

  private func writePath(
    _ path: UnsafeRawBufferPointer, into message: inout ByteWriter
  ) throws(MessageJSONError) {
    guard !path.isEmpty else { throw MessageJSONError(reason: "contains an empty path") }
    message.appendTag(1, .lengthDelimited)
    let start = message.beginDelimited()
    for byte in path {
      guard byte != UInt8(ascii: "_") else { throw MessageJSONError(reason: "contains '_'; use lowerCamelCase") }
      guard byte.isPathCharacter || byte.isUppercaseLetter else {
        throw MessageJSONError(reason: "contains a character that no path has")
      }
      if byte.isUppercaseLetter { message.append(character: "_") }
      message.append(byte.isUppercaseLetter ? byte + 32 : byte)
    }
    message.endDelimited(start)
  }
}

// MARK: - Members

/// Finds the fields of an object's members, fastest if these are in the schema's order.
private struct MemberCursor {
  private let type: UnsafePointer<ProtobufCMessageDescriptor>
  /// The index of the field after the last found one.
  private var next = 0
  /// The fields that have occurred, and the oneofs that are set, each by an index among the fields.
  private var seen: UInt64 = 0
  private var setOneofs: UInt64 = 0

  init(_ type: UnsafePointer<ProtobufCMessageDescriptor>) {
    precondition(type.pointee.n_fields <= 64, "each field has a bit")
    self.type = type
  }

  /// Returns the field that a member names in lowerCamelCase or as the schema does. `nil` if there is none.
  mutating func find(_ name: JSONString) throws(MessageJSONError) -> UnsafePointer<ProtobufCFieldDescriptor>? {
    try name.withUTF8 { (name) throws(MessageJSONError) in
      let count = Int(type.pointee.n_fields)
      guard let fields = type.pointee.fields else { return nil }
      for index in next..<(next + count) {
        let place = index < count ? index : index - count
        guard let own = fields[place].name, own.isCamelCaseName(name) || own.isName(name) else { continue }
        next = place + 1
        return fields + place
      }
      return nil
    }
  }

  /// Checks that a found field has not occurred before.
  mutating func checkIsFirst(_ field: UnsafePointer<ProtobufCFieldDescriptor>) throws(MessageJSONError) {
    let bit = UInt64(1) << UInt64(next - 1)
    guard seen & bit == 0 else { throw MessageJSONError(reason: "occurs twice") }
    seen |= bit
  }

  /// Checks that no other member of a field's oneof is set.
  mutating func checkOneof(of field: UnsafePointer<ProtobufCFieldDescriptor>) throws(MessageJSONError) {
    guard field.pointee.isOneofMember else { return }
    let bit = type.oneofBit(of: field)
    guard setOneofs & bit == 0 else { throw MessageJSONError(reason: "excludes a field that is set too") }
    setOneofs |= bit
  }
}

extension JSONReader {
  /// Reads the members of an object up to `@type`, and returns its value; `nil` if there is none.
  ///
  /// - Parameter depth: the number of objects and arrays that may contain each other.
  fileprivate mutating func typeURL(depth: Int) throws(MessageJSONError) -> JSONString? {
    guard try open("{", "}", "an object") else { return nil }
    repeat {
      if try name().text == "@type" { return try string() }
      try skipValue(depth: depth)
    } while try hasNext(before: "}")
    return nil
  }
}

extension Int64 {
  /// The form in which a varint contains signed numbers of small magnitude.
  fileprivate var zigzag: UInt64 { UInt64(bitPattern: (self << 1) ^ (self >> 63)) }
}

extension ByteWriter {
  /// Appends the bytes of base64, in the standard or the URL alphabet, with or without padding. Returns whether it is valid.
  fileprivate mutating func appendBase64Decoded(_ text: UnsafeRawBufferPointer) -> Bool {
    var digits = text[...]
    while digits.last == UInt8(ascii: "="), text.count - digits.count < 2 { digits.removeLast() }
    guard digits.count == text.count || text.count % 4 == 0, digits.count % 4 != 1 else { return false }
    var bits: UInt32 = 0
    var bitCount = 0
    for digit in digits {
      guard let value = digit.base64Value else { return false }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
    }
    return true
  }
}

extension UInt8 {
  fileprivate var base64Value: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
