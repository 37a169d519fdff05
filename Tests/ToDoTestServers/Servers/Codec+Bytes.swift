import ToDoProtobuf
package import ToDoProtocol

extension Codec {
  package func encoded(_ value: Value) -> [UInt8] {
    let arena = Arena()
    return Array(arena.pack(encode(value, arena)))
  }

  package func decode(bytes: [UInt8]) throws -> Value {
    let arena = Arena()
    return try bytes.withUnsafeBytes { try decode($0, arena) }
  }
}
