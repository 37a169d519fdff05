import CToDoProtos
import CToDoSchema
import Testing
import ToDoProtobuf
import ToDoProtobufJSON

/// What the converter knows about the schema besides protobuf-c's descriptors, compared with the schema itself.
@Suite struct SchemaTests {
  @Test func methods_areThoseOfTheServices() throws {
    let methods = MessageJSON.methods
    #expect(
      methods.keys.sorted() == [
        "grpc.health.v1.Health", "todo.v1.FeedService", "todo.v1.ListService", "todo.v1.NotificationService",
        "todo.v1.PositionService", "todo.v1.ReminderService", "todo.v1.SignInService", "todo.v1.ToDoService",
      ])
    let getItem = try #require(methods["todo.v1.ToDoService"]?["GetItem"])
    #expect(try getItem.request.wire(#"{"id":"a"}"#) == "0a0161")
    #expect(try getItem.response.text("0a030a0161") == #"{"item":{"id":"a"}}"#)
    #expect(methods["todo.v1.ListService"]?.count == Int(todo__v1__list_service__descriptor.n_methods))
  }

  /// The C code has `bytes` instead of `string`.
  @Test func bytesFields_areThoseOfTheSchema() throws {
    let bytes = GOOGLE__PROTOBUF__FIELD_DESCRIPTOR_PROTO__TYPE__TYPE_BYTES
    let names = try SchemaFields().fields.filter { $0.type == bytes }.map(\.name)
    #expect(names.sorted() == MessageSchema.toDo.bytesFields.sorted())
  }

  /// JSON names fields by protoc's rule, which an option of the schema could change.
  @Test func names_inJSON_areThoseOfTheSchema() throws {
    for field in try SchemaFields().fields {
      let short = try #require(field.name.split(separator: ".").last)
      var expected = ""
      var isCapital = false
      for character in short {
        if character != "_" { expected += isCapital ? character.uppercased() : String(character) }
        isCapital = character == "_"
      }
      #expect(field.jsonName.isEmpty || field.jsonName == expected, "\(field.name)")
    }
  }
}

/// The fields of all messages of the schema and its imports.
private struct SchemaFields {
  struct Field {
    let name: String
    let jsonName: String
    let type: Google__Protobuf__FieldDescriptorProto__Type
  }

  private(set) var fields: [Field] = []

  init() throws {
    let arena = Arena(limit: 64 << 20)
    let bytes = UnsafeRawBufferPointer(start: todo_schema_bytes(), count: todo_schema_size())
    let set = try arena.unpack(google__protobuf__file_descriptor_set__init, bytes).pointee
    for file in UnsafeBufferPointer(start: set.file, count: set.n_file).compactMap(\.self) {
      let package = file.pointee.package.text ?? ""
      for message in UnsafeBufferPointer(start: file.pointee.message_type, count: file.pointee.n_message_type) {
        if let message { add(message.pointee, in: package) }
      }
    }
  }

  private mutating func add(_ message: Google__Protobuf__DescriptorProto, in scope: String) {
    let name = "\(scope).\(message.name.text ?? "")"
    for field in UnsafeBufferPointer(start: message.field, count: message.n_field).compactMap(\.self) {
      fields.append(
        Field(
          name: "\(name).\(field.pointee.name.text ?? "")", jsonName: field.pointee.json_name.text ?? "",
          type: field.pointee.type))
    }
    for nested in UnsafeBufferPointer(start: message.nested_type, count: message.n_nested_type).compactMap(\.self) {
      add(nested.pointee, in: name)
    }
  }
}
