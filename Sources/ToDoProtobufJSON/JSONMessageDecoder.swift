import CToDoProtos

/// Writes the wire format of a JSON text while it reads the text.
struct JSONMessageDecoder {
  var reader: JSONReader
  private let maximumSize: Int
  private var elementsLeft: Int

  init(_ json: UnsafeRawBufferPointer, maximumSize: Int, maximumElements: Int) throws(MessageJSONError) {
    reader = try JSONReader(json)
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
    case .any: throw MessageJSONError(reason: "can't be decoded")
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
    } else if type.hasBytes(in: field) {
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

  /// Writes a map of texts as the list of its entries.
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

  /// Counts an element of a list, after which the message has a size.
  mutating func countElement(in size: Int) throws(MessageJSONError) {
    elementsLeft -= 1
    guard elementsLeft >= 0 else { throw .tooManyElements }
    try check(size)
  }

  private func check(_ size: Int) throws(MessageJSONError) {
    guard size <= maximumSize else { throw .tooLarge }
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
