package import CToDoProtos

/// The facts about a schema that JSON needs, but the generated code doesn't have.
package struct MessageSchema: Sendable {
  /// The fields of type `bytes`, as `PACKAGE.MESSAGE.FIELD`. The generated code has that type for strings too.
  package let bytesFields: Set<String>
  /// The messages that an Any may contain, by their full names. Safe to share, because descriptors are constants of the
  /// generated code.
  nonisolated(unsafe) private let anyTypes: [String: UnsafePointer<ProtobufCMessageDescriptor>]

  /// Creates the facts about a schema.
  ///
  /// - Parameters:
  ///   - bytesFields: the fields of type `bytes`, besides those of Any.
  ///   - anyTypes: the messages that an Any may contain. Well-known types among them can't be converted.
  package init(bytesFields: Set<String>, anyTypes: [UnsafePointer<ProtobufCMessageDescriptor>] = []) {
    self.bytesFields = bytesFields.union(["google.protobuf.Any.value"])
    self.anyTypes = Dictionary(anyTypes.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The to-do schema, with what it imports. No method takes or returns an Any.
  package static let toDo = MessageSchema(bytesFields: [
    "grpc.reflection.v1.FileDescriptorResponse.file_descriptor_proto",
    "grpc.reflection.v1alpha.FileDescriptorResponse.file_descriptor_proto", "ttrpc.Request.payload",
    "ttrpc.Response.payload",
  ])

  /// Whether any Any can be converted.
  var hasAnyTypes: Bool { !anyTypes.isEmpty }

  /// Returns the type of an Any's message; `nil` if an Any may not contain it.
  func anyType(at url: String) -> UnsafePointer<ProtobufCMessageDescriptor>? {
    guard let slash = url.lastIndex(of: "/"), let type = anyTypes[String(url[url.index(after: slash)...])] else {
      return nil
    }
    return type.wellKnownType == nil ? type : nil
  }

  /// Whether a field of type `bytes` in the generated code has that type in the schema too. All others are strings there.
  func hasBytes(_ field: UnsafePointer<ProtobufCFieldDescriptor>, of type: UnsafePointer<ProtobufCMessageDescriptor>)
    -> Bool
  {
    guard !type.pointee.name.starts(with: "todo.v1.") else { return false }
    return bytesFields.contains("\(type.name).\(String(cString: field.pointee.name))")
  }
}
