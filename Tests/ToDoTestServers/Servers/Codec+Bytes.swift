import ToDoProtobuf
package import ToDoProtocol

extension Codec {
  package func encoded(_ value: Value) -> [UInt8] {
    let arena = Arena()
    return Array(arena.pack(encode(value, arena)))
  }

  /// Encodes a request that concerns the default list.
  package func encoded<Request>(_ request: Request) -> [UInt8] where Value == Scoped<Request> {
    encoded(Scoped(request))
  }

  package func decode(bytes: [UInt8]) throws -> Value {
    let arena = Arena()
    return try bytes.withUnsafeBytes { try decode($0, arena) }
  }
}
