import CToDoProtos
import ToDoProtobuf

/// Writes the JSON of a message while it reads the message's wire format.
struct JSONMessageEncoder {
  private let schema: MessageSchema
  private let maximumSize: Int

  init(_ schema: MessageSchema, maximumSize: Int) { (self.schema, self.maximumSize) = (schema, maximumSize) }

  /// Appends the JSON of the message.
  func encode(
    _ message: UnsafeRawBufferPointer, as type: UnsafePointer<ProtobufCMessageDescriptor>, into json: inout ByteWriter
  ) throws(MessageJSONError) {
    try write(message, as: type, into: &json, depth: 1)
    try check(json.count)
  }

  private func write(
    _ message: UnsafeRawBufferPointer, as type: UnsafePointer<ProtobufCMessageDescriptor>, into json: inout ByteWriter,
    depth: Int
  ) throws(MessageJSONError) {
    guard depth <= MessageJSON.maximumDepth else { throw .tooDeep }
    switch type.wellKnownType {
    case nil: break
    case .timestamp: return try time(message).writeTimestamp(to: &json)
    case .duration: return try time(message).writeDuration(to: &json)
    case .fieldMask: return try json.writeFieldMask(message)
    case .any: return try writeAny(message, as: type, into: &json, depth: depth)
    }
    json.append(character: "{")
    try writeMembers(message, as: type, into: &json, depth: depth, MemberWriter())
    json.append(character: "}")
  }

  /// Writes an Any: the member `@type` names the type of its message, whose fields are the other members.
  private func writeAny(
    _ message: UnsafeRawBufferPointer, as type: UnsafePointer<ProtobufCMessageDescriptor>, into json: inout ByteWriter,
    depth: Int
  ) throws(MessageJSONError) {
    var fields = FieldReader(type, message)
    var url = UnsafeRawBufferPointer(start: nil, count: 0)
    var value = url
    while let field = try fields.next() {
      guard case .bytes(let bytes) = fields.value else { throw .malformed }
      if field.pointee.id == 1 { url = bytes } else { value = bytes }
    }
    guard let inner = schema.anyType(at: String(decoding: url, as: UTF8.self)) else {
      throw MessageJSONError(reason: "can't be encoded")
    }
    guard depth < MessageJSON.maximumDepth else { throw .tooDeep }
    json.append(text: "{\"@type\":")
    try json.writeText(url)
    try writeMembers(value, as: inner, into: &json, depth: depth + 1, MemberWriter(isFirst: false))
    json.append(character: "}")
  }

  private func writeMembers(
    _ message: UnsafeRawBufferPointer, as type: UnsafePointer<ProtobufCMessageDescriptor>, into json: inout ByteWriter,
    depth: Int, _ first: MemberWriter
  ) throws(MessageJSONError) {
    var fields = FieldReader(type, message)
    var writer = first
    while let field = try fields.next() {
      do throws(MessageJSONError) {
        try write(fields.value, in: field, of: type, with: &writer, into: &json, depth: depth)
        try check(json.count)
      } catch { throw error.inside(String(cString: field.pointee.name)) }
    }
    writer.endList(in: &json)
  }

  private func time(_ message: UnsafeRawBufferPointer) throws(MessageJSONError) -> JSONTime {
    guard let time = JSONTime(message: message) else { throw .hasNoForm }
    return time
  }

  /// Writes one occurrence of a field. In a list, it continues the list.
  private func write(
    _ value: FieldReader.Value, in field: UnsafePointer<ProtobufCFieldDescriptor>,
    of type: UnsafePointer<ProtobufCMessageDescriptor>, with writer: inout MemberWriter, into json: inout ByteWriter,
    depth: Int
  ) throws(MessageJSONError) {
    switch value {
    case .number(let bits):
      guard bits != 0 || !field.isImplicit else { return }
      try writer.begin(field, of: type, in: &json)
      json.writeNumber(bits, of: field)
    case .bytes(let bytes) where field.wireType != .lengthDelimited:
      var numbers = WireReader(bytes)
      while !numbers.isAtEnd {
        guard let bits = numbers.number(field.wireType) else { throw .malformed }
        try writer.begin(field, of: type, in: &json)
        json.writeNumber(bits, of: field)
      }
    case .bytes(let bytes):
      if let inner = field.messageType {
        let isMap = inner.isMapEntry(of: field)
        try writer.begin(field, of: type, isMap: isMap, in: &json)
        guard !isMap else { return try json.writeMapEntry(bytes) }
        return try write(bytes, as: inner, into: &json, depth: depth + 1)
      }
      guard !bytes.isEmpty || !field.isImplicit else { return }
      try writer.begin(field, of: type, in: &json)
      if schema.hasBytes(field, of: type) { json.writeBase64(bytes) } else { try json.writeText(bytes) }
    }
  }

  private func check(_ size: Int) throws(MessageJSONError) {
    guard size <= maximumSize else { throw .tooLarge }
  }
}

extension MessageJSONError {
  /// Bytes that protobuf-c did not encode.
  static let malformed = MessageJSONError(reason: "isn't valid in wire format")
}

// MARK: - Fields

/// Reads the fields of a message in their order.
private struct FieldReader {
  enum Value {
    case number(UInt64)
    case bytes(UnsafeRawBufferPointer)
  }

  private var reader: WireReader
  private let fields: UnsafeBufferPointer<ProtobufCFieldDescriptor>
  /// The index of the last found field.
  private var place = 0
  /// The value of the last returned field.
  private(set) var value = Value.number(0)

  init(_ type: UnsafePointer<ProtobufCMessageDescriptor>, _ message: UnsafeRawBufferPointer) {
    reader = WireReader(message)
    fields = type.fields
  }

  /// Returns the next field that the type has.
  mutating func next() throws(MessageJSONError) -> UnsafePointer<ProtobufCFieldDescriptor>? {
    while !reader.isAtEnd {
      guard let tag = reader.varint(), tag <= UInt32.max, let wireType = WireType(rawValue: UInt8(tag & 7)) else {
        throw .malformed
      }
      if wireType == .lengthDelimited {
        guard let bytes = reader.delimited() else { throw .malformed }
        value = .bytes(bytes)
      } else {
        guard let bits = reader.number(wireType) else { throw .malformed }
        value = .number(bits)
      }
      guard let field = find(UInt32(tag >> 3)) else { continue }
      guard wireType == field.wireType || (field.isList && wireType == .lengthDelimited) else { throw .malformed }
      return field
    }
    return nil
  }

  private mutating func find(_ number: UInt32) -> UnsafePointer<ProtobufCFieldDescriptor>? {
    guard let start = fields.baseAddress else { return nil }
    if place == fields.count || fields[place].id > number { place = 0 }
    while place < fields.count, fields[place].id < number { place += 1 }
    return place < fields.count && fields[place].id == number ? start + place : nil
  }
}

/// Writes the names of members, and the separators of members and elements.
private struct MemberWriter {
  /// The list or map that is not ended.
  private var list: UnsafePointer<ProtobufCFieldDescriptor>?
  private var isMap = false
  private var isFirst: Bool
  /// The fields and oneofs that have occurred, each by an index among the fields.
  private var seen: UInt64 = 0
  private var setOneofs: UInt64 = 0

  init(isFirst: Bool = true) { self.isFirst = isFirst }

  /// Starts a value: a member's, or the next element of its list.
  mutating func begin(
    _ field: UnsafePointer<ProtobufCFieldDescriptor>, of type: UnsafePointer<ProtobufCMessageDescriptor>,
    isMap: Bool = false, in json: inout ByteWriter
  ) throws(MessageJSONError) {
    if field == list {
      json.append(character: ",")
      return
    }
    endList(in: &json)
    try check(field, of: type)
    if !isFirst { json.append(character: ",") }
    isFirst = false
    json.writeName(of: field)
    guard field.isList else { return }
    list = field
    self.isMap = isMap
    json.append(character: isMap ? "{" : "[")
  }

  /// protobuf-c encodes the elements of a list one after another, and every other field once.
  private mutating func check(
    _ field: UnsafePointer<ProtobufCFieldDescriptor>, of type: UnsafePointer<ProtobufCMessageDescriptor>
  ) throws(MessageJSONError) {
    let bit = UInt64(1) << UInt64(type.pointee.fields.distance(to: field))
    guard seen & bit == 0 else { throw MessageJSONError(reason: "occurs twice") }
    seen |= bit
    guard field.pointee.isOneofMember else { return }
    let oneof = type.oneofBit(of: field)
    guard setOneofs & oneof == 0 else { throw MessageJSONError(reason: "excludes a field that is set too") }
    setOneofs |= oneof
  }

  mutating func endList(in json: inout ByteWriter) {
    guard list != nil else { return }
    json.append(character: isMap ? "}" : "]")
    list = nil
  }
}
