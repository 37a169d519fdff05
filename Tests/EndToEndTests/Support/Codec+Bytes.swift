import Protobuf
import ToDoProtocol

extension Codec {
  func encoded(_ value: Value) -> [UInt8] {
    let arena = Arena()
    return Array(arena.pack(encode(value, arena)))
  }

  func decode(bytes: [UInt8]) throws -> Value {
    let arena = Arena()
    return try bytes.withUnsafeBytes { try decode($0, arena) }
  }
}
