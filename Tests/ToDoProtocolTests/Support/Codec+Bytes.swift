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

/// Requests that concern the default list.
extension Codec {
  func bytes<Request>(_ request: Request) -> [UInt8] where Value == Scoped<Request> { bytes(Scoped(request)) }

  func decode<Request>(_ bytes: [UInt8]) throws -> Request where Value == Scoped<Request> {
    let scoped: Value = try decode(bytes)
    return scoped.request
  }

  func decode<Request>(_ message: ProtobufBytes) throws -> Request where Value == Scoped<Request> {
    try decode(message.bytes)
  }

  func roundTrip<Request>(_ request: Request) throws -> Request where Value == Scoped<Request> {
    try decode(bytes(Scoped(request)))
  }
}
