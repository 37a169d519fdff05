package import CToDoProtos
package import ToDoProtobuf

/// The conversion between a Swift value and the bytes of a message.
package struct Codec<Value: Sendable>: Sendable {
  /// Decodes a value, which contains copies of the data in the arena.
  package let decode: @Sendable (UnsafeRawBufferPointer, Arena) throws -> Value
  /// Builds the message in the arena.
  package let encode: @Sendable (Value, Arena) -> UnsafePointer<ProtobufCMessage>

  /// Creates a codec.
  ///
  /// - Parameter initialize: the generated `…__init` function.
  init<Message>(
    _ initialize: @escaping @Sendable (UnsafeMutablePointer<Message>?) -> Void,
    decode: @escaping @Sendable (Message) throws -> Value,
    encode: @escaping @Sendable (Value, UnsafeMutablePointer<Message>, Arena) -> Void
  ) {
    self.decode = { bytes, arena in try decode(try arena.unpack(initialize, bytes).pointee) }
    self.encode = { value, arena in
      let message = arena.make(initialize)
      encode(value, message, arena)
      return message.message
    }
  }
}

extension Codec where Value == Void {
  /// Creates the codec of a message without fields, or whose fields are ignored.
  init<Message>(
    _ initialize: @escaping @Sendable (UnsafeMutablePointer<Message>?) -> Void
  ) {
    self.init(initialize, decode: { _ in }, encode: { _, _, _ in })
  }
}
