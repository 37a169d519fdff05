#if GRPC
import CToDoProtos
import CToDoSchema
import ToDoProtobuf

/// The files of a schema, indexed by their names and by the symbols that they define.
struct SchemaIndex: Sendable {
  private struct File: Sendable {
    let name: String
    let dependencies: [String]
    /// An encoded `google.protobuf.FileDescriptorProto`.
    let bytes: [UInt8]
  }

  private var files: [String: File] = [:]
  /// The names of the files that define symbols, by the symbol's full name.
  private var definingFiles: [String: String] = [:]

  /// The full names of messages.
  private(set) var messages: Set<String> = []
  /// The full names of the methods: `todo.v1.ToDoService.GetItem`.
  private(set) var methods: Set<String> = []

  /// The schema of this program.
  static let schema = SchemaIndex(
    UnsafeRawBufferPointer(start: todo_schema_bytes(), count: todo_schema_size()))

  /// Creates an index.
  ///
  /// - Precondition: the bytes are a `google.protobuf.FileDescriptorSet`.
  init(_ bytes: UnsafeRawBufferPointer) {
    let arena = Arena()
    guard let set = try? arena.unpack(google__protobuf__file_descriptor_set__init, bytes) else {
      preconditionFailure("the description of the schema is damaged")
    }
    for file in UnsafeBufferPointer(start: set.pointee.file, count: set.pointee.n_file) {
      if let file { add(file, arena) }
    }
  }

  /// Returns a file, followed by the files that it imports directly or indirectly, each once. Returns `nil` if no file has
  /// the name.
  func file(named name: String) -> [[UInt8]]? {
    guard let file = files[name] else { return nil }
    var found = [file]
    var names: Set = [name]
    var next = 0
    while next < found.count {
      for dependency in found[next].dependencies where names.insert(dependency).inserted {
        if let file = files[dependency] { found.append(file) }
      }
      next += 1
    }
    return found.map(\.bytes)
  }

  /// Returns the file that defines a message, an enumeration, a service or a method, followed by the files that it
  /// imports.
  func file(defining symbol: String) -> [[UInt8]]? {
    definingFiles[symbol].flatMap(file(named:))
  }

  private mutating func add(_ message: UnsafeMutablePointer<Google__Protobuf__FileDescriptorProto>, _ arena: Arena) {
    let descriptor = message.pointee
    let file = File(
      name: descriptor.name.text ?? "",
      dependencies: UnsafeBufferPointer(start: descriptor.dependency, count: descriptor.n_dependency)
        .compactMap(\.text),
      bytes: Array(arena.pack(message.message)))
    files[file.name] = file
    let package = descriptor.package.text ?? ""
    for message in UnsafeBufferPointer(start: descriptor.message_type, count: descriptor.n_message_type) {
      if let message { add(message.pointee, in: package, file.name) }
    }
    for enumeration in UnsafeBufferPointer(start: descriptor.enum_type, count: descriptor.n_enum_type) {
      if let enumeration { define(enumeration.pointee.name, in: package, file.name) }
    }
    for service in UnsafeBufferPointer(start: descriptor.service, count: descriptor.n_service) {
      if let service { add(service.pointee, in: package, file.name) }
    }
  }

  private mutating func add(_ message: Google__Protobuf__DescriptorProto, in scope: String, _ file: String) {
    let name = define(message.name, in: scope, file)
    messages.insert(name)
    for nested in UnsafeBufferPointer(start: message.nested_type, count: message.n_nested_type) {
      if let nested { add(nested.pointee, in: name, file) }
    }
    for enumeration in UnsafeBufferPointer(start: message.enum_type, count: message.n_enum_type) {
      if let enumeration { define(enumeration.pointee.name, in: name, file) }
    }
  }

  private mutating func add(_ service: Google__Protobuf__ServiceDescriptorProto, in scope: String, _ file: String) {
    let name = define(service.name, in: scope, file)
    for method in UnsafeBufferPointer(start: service.method, count: service.n_method) {
      if let method { methods.insert(define(method.pointee.name, in: name, file)) }
    }
  }

  @discardableResult
  private mutating func define(_ name: ProtobufCBinaryData, in scope: String, _ file: String) -> String {
    let name = name.text ?? ""
    let fullName = scope.isEmpty ? name : "\(scope).\(name)"
    definingFiles[fullName] = file
    return fullName
  }
}
#endif
