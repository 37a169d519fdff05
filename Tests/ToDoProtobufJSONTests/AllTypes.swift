import CToDoProtos

/// A message type with fields of every type, most of which the schema doesn't use.
enum AllTypes {
  /// The fields' names, by type. The number of a field is its index plus one; that of a list is 20 more, and that of a oneof's
  /// member 40 more.
  static let types: [(name: StaticString, type: ProtobufCType)] = [
    ("int32_field", PROTOBUF_C_TYPE_INT32), ("sint32_field", PROTOBUF_C_TYPE_SINT32),
    ("sfixed32_field", PROTOBUF_C_TYPE_SFIXED32), ("int64_field", PROTOBUF_C_TYPE_INT64),
    ("sint64_field", PROTOBUF_C_TYPE_SINT64), ("sfixed64_field", PROTOBUF_C_TYPE_SFIXED64),
    ("uint32_field", PROTOBUF_C_TYPE_UINT32), ("fixed32_field", PROTOBUF_C_TYPE_FIXED32),
    ("uint64_field", PROTOBUF_C_TYPE_UINT64), ("fixed64_field", PROTOBUF_C_TYPE_FIXED64),
    ("float_field", PROTOBUF_C_TYPE_FLOAT), ("double_field", PROTOBUF_C_TYPE_DOUBLE),
    ("bool_field", PROTOBUF_C_TYPE_BOOL), ("string_field", PROTOBUF_C_TYPE_BYTES),
  ]

  private static let listNames: [StaticString] = [
    "int32_list", "sint32_list", "sfixed32_list", "int64_list", "sint64_list", "sfixed64_list", "uint32_list",
    "fixed32_list", "uint64_list", "fixed64_list", "float_list", "double_list", "bool_list", "string_list",
  ]

  private static let memberNames: [StaticString] = [
    "int32_member", "sint32_member", "sfixed32_member", "int64_member", "sint64_member", "sfixed64_member",
    "uint32_member", "fixed32_member", "uint64_member", "fixed64_member", "float_member", "double_member",
    "bool_member", "string_member",
  ]

  // Written once, before anything reads it.
  nonisolated(unsafe) static let descriptor: UnsafePointer<ProtobufCMessageDescriptor> = {
    let fields =
      types.enumerated().map { field($1.name, $0 + 1, PROTOBUF_C_LABEL_NONE, $1.type) }
      + types.enumerated().map { field(listNames[$0], $0 + 21, PROTOBUF_C_LABEL_REPEATED, $1.type) }
      + types.enumerated().map { field(memberNames[$0], $0 + 41, PROTOBUF_C_LABEL_NONE, $1.type, isMember: true) }
    let pointer = UnsafeMutablePointer<ProtobufCFieldDescriptor>.allocate(capacity: fields.count)
    pointer.initialize(from: fields, count: fields.count)
    var message = ProtobufCMessageDescriptor()
    message.name = cString("test.AllTypes")
    message.short_name = cString("AllTypes")
    message.n_fields = UInt32(fields.count)
    message.fields = UnsafePointer(pointer)
    let result = UnsafeMutablePointer<ProtobufCMessageDescriptor>.allocate(capacity: 1)
    result.initialize(to: message)
    return UnsafePointer(result)
  }()

  private static func field(
    _ name: StaticString, _ number: Int, _ label: ProtobufCLabel, _ type: ProtobufCType, isMember: Bool = false
  ) -> ProtobufCFieldDescriptor {
    var field = ProtobufCFieldDescriptor()
    field.name = cString(name)
    field.id = UInt32(number)
    field.label = label
    field.type = type
    field.quantifier_offset = isMember ? 8 : 0
    field.flags = isMember ? PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue : 0
    return field
  }

  private static func cString(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}
