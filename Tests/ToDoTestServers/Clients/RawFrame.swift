import NIOCore
import ToDoProtobuf
package import ToDoRPC
import ToDoTTRPC
package import ToDoTestSupport

/// A frame as bytes, which may be malformed.
package struct RawFrame: Equatable, Sendable {
  package var id: UInt32
  package var type: UInt8
  package var flags: UInt8
  package var data: [UInt8]
  /// The length in the header. By default, the length of the data.
  package var length: UInt32

  package init(_ type: UInt8, id: UInt32, flags: UInt8 = 0, _ data: [UInt8] = [], length: UInt32? = nil) {
    self.id = id
    self.type = type
    self.flags = flags
    self.data = data
    self.length = length ?? UInt32(data.count)
  }

  /// A request for one of the `TestMethods`.
  package static func request(
    _ id: UInt32, _ method: String, _ text: String = "", flags: UInt8 = 0, timeout: Int64 = 0
  ) -> RawFrame {
    call(id, TestMethods.service, method, ProtobufBytes().field(1, text), flags: flags, timeout: timeout)
  }

  package static func call(
    _ id: UInt32, _ service: String, _ method: String, _ payload: ProtobufBytes, flags: UInt8 = 0,
    timeout: Int64 = 0, authorization: String? = nil, traceparent: String? = nil
  ) -> RawFrame {
    var envelope = ProtobufBytes().field(1, service).field(2, method).field(3, payload).field(4, timeout)
    for (key, value) in [("authorization", authorization), ("traceparent", traceparent)] {
      if let value { envelope = envelope.field(5, ProtobufBytes().field(1, key).field(2, value)) }
    }
    return RawFrame(1, id: id, flags: flags, envelope.bytes)
  }

  /// A further message of a client's stream, with a text.
  package static func data(_ id: UInt32, _ text: String, flags: UInt8 = 0) -> RawFrame {
    RawFrame(3, id: id, flags: flags, ProtobufBytes().field(1, text).bytes)
  }

  package static func cancel(_ id: UInt32, stream: UInt32) -> RawFrame {
    call(id, "todo.v1.ConnectionService", "CancelCall", ProtobufBytes().field(1, Int64(stream)))
  }

  /// Cancels all calls of one of the `TestMethods`.
  package static func cancel(_ id: UInt32, method: String) -> RawFrame {
    call(
      id, "todo.v1.ConnectionService", "CancelCall",
      ProtobufBytes().field(2, "\(TestMethods.service)/\(method)"))
  }

  package var bytes: [UInt8] {
    var buffer = ByteBuffer()
    buffer.writeMultipleIntegers(length, id, type, flags)
    return Array(buffer.readableBytesView) + data
  }

  // MARK: Responses

  /// The error of the call, or `nil` if it succeeded or the frame is not a response.
  package var error: RPCError? {
    get throws {
      guard type == 2 else { return nil }
      return try response { response, arena in try response.error(in: arena) }
    }
  }

  /// The text of a response, either unary or on a stream.
  package var text: String? {
    get throws {
      if type == 3 { return try TestMethods.decode(ByteBuffer(bytes: data)) }
      return try response { response, arena in try TestMethods.decode(response.payload, arena) }
    }
  }

  private func response<Value>(_ body: (ResponseEnvelope, Arena) throws -> Value) throws -> Value {
    let arena = Arena()
    return try data.withUnsafeBytes { try body(ResponseEnvelope(decoding: $0, in: arena), arena) }
  }
}
