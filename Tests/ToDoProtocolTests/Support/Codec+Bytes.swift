import ToDoProtobuf
import ToDoProtocol
import ToDoTestSupport

extension Codec {
  func bytes(_ value: Value) -> [UInt8] {
    let arena = Arena()
    return Array(arena.pack(encode(value, arena)))
  }

  func decode(_ bytes: [UInt8]) throws -> Value {
    let arena = Arena()
    // The value outlives the arena, which shows that everything was copied.
    return try bytes.withUnsafeBytes { try decode($0, arena) }
  }

  func decode(_ message: ProtobufBytes) throws -> Value { try decode(message.bytes) }

  func roundTrip(_ value: Value) throws -> Value { try decode(bytes(value)) }
}
