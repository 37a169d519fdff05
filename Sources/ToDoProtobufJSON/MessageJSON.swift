package import CToDoProtos
package import NIOCore
import ToDoProtobuf

/// Converts messages of one type between protobuf's wire format and the JSON of proto3, by protobuf-c's descriptors.
package struct MessageJSON: Sendable {
  /// Safe to share, because descriptors are constants of the generated code.
  nonisolated(unsafe) private let descriptor: UnsafePointer<ProtobufCMessageDescriptor>
  private let schema: MessageSchema

  /// Creates a converter of the messages that a descriptor describes.
  package init(_ descriptor: UnsafePointer<ProtobufCMessageDescriptor>, in schema: MessageSchema = .toDo) {
    self.descriptor = descriptor
    self.schema = schema
  }

  /// The maximum depth of nested messages, including the outermost one, and of arrays and objects in members without a
  /// field.
  package static let maximumDepth = WireFormatValidator.maximumDepth

  /// Appends the wire format of a JSON text, without fields that have their default value. Members without a field are
  /// ignored, and so are those with the value `null`.
  ///
  /// - Parameters:
  ///   - maximumSize: the maximum number of bytes to append.
  ///   - maximumElements: the maximum number of elements in all lists of the message together.
  /// - Throws: an error if the text is not the JSON of such a message. The buffer is then unchanged.
  package func decode(
    _ json: UnsafeRawBufferPointer, into message: inout ByteBuffer, maximumSize: Int = .max, maximumElements: Int = .max
  ) throws(MessageJSONError) {
    var decoder = try JSONMessageDecoder(json, schema, maximumSize: maximumSize, maximumElements: maximumElements)
    var writer = ByteWriter()
    try decoder.decode(descriptor, into: &writer)
    writer.withBytes { _ = message.writeBytes($0) }
  }

  /// Appends the JSON of a message in wire format that protobuf-c encoded.
  ///
  /// - Parameter maximumSize: the maximum number of bytes to append.
  /// - Throws: an error if the bytes are not such a message, or the limit is exceeded. The buffer is then
  ///   unchanged.
  package func encode(
    _ message: UnsafeRawBufferPointer, into json: inout ByteBuffer, maximumSize: Int = .max
  ) throws(MessageJSONError) {
    var writer = ByteWriter()
    try JSONMessageEncoder(schema, maximumSize: maximumSize).encode(message, as: descriptor, into: &writer)
    writer.withBytes { _ = json.writeBytes($0) }
  }
}

// MARK: - Buffers

extension MessageJSON {
  /// Appends the wire format of a JSON text, as `decode` of bytes does.
  package func decode(
    _ json: ByteBuffer, into message: inout ByteBuffer, maximumSize: Int = .max, maximumElements: Int = .max
  ) throws(MessageJSONError) {
    try json.withBytes { (bytes) throws(MessageJSONError) in
      try decode(bytes, into: &message, maximumSize: maximumSize, maximumElements: maximumElements)
    }
  }

  /// Appends the JSON of a message, as `encode` of bytes does.
  package func encode(
    _ message: ByteBuffer, into json: inout ByteBuffer, maximumSize: Int = .max
  ) throws(MessageJSONError) {
    try message.withBytes { (bytes) throws(MessageJSONError) in
      try encode(bytes, into: &json, maximumSize: maximumSize)
    }
  }
}

extension ByteBuffer {
  /// Calls a function with the readable bytes. NIO's own method has untyped errors.
  fileprivate func withBytes(
    _ body: (UnsafeRawBufferPointer) throws(MessageJSONError) -> Void
  ) throws(MessageJSONError) {
    let failure = withUnsafeReadableBytes { bytes -> MessageJSONError? in
      do throws(MessageJSONError) { try body(bytes) } catch { return error }
      return nil
    }
    if let failure { throw failure }
  }
}

// MARK: - Methods

extension MessageJSON {
  /// The converters of a method's messages.
  package struct Method: Sendable {
    package let request: MessageJSON
    package let response: MessageJSON
  }

  /// The converters of methods, by the service's full name and the method's own.
  package typealias Methods = [String: [String: Method]]

  /// The methods of the schema's services and the health service.
  package static let methods: Methods = {
    let services = [
      todo__v1__to_do_service__descriptor, todo__v1__list_service__descriptor,
      todo__v1__notification_service__descriptor, todo__v1__position_service__descriptor,
      todo__v1__reminder_service__descriptor, todo__v1__feed_service__descriptor,
      todo__v1__sign_in_service__descriptor,
      grpc__health__v1__health__descriptor,
    ]
    return methods(of: services, in: .toDo)
  }()

  /// Returns the methods of services.
  package static func methods(of services: [ProtobufCServiceDescriptor], in schema: MessageSchema) -> Methods {
    Dictionary(uniqueKeysWithValues: services.map { (String(cString: $0.name), methods(of: $0, in: schema)) })
  }

  private static func methods(of service: ProtobufCServiceDescriptor, in schema: MessageSchema) -> [String: Method] {
    let methods = UnsafeBufferPointer(start: service.methods, count: Int(service.n_methods))
    return Dictionary(
      uniqueKeysWithValues: methods.map {
        let (request, response) = (MessageJSON($0.input, in: schema), MessageJSON($0.output, in: schema))
        return (String(cString: $0.name), Method(request: request, response: response))
      })
  }
}
