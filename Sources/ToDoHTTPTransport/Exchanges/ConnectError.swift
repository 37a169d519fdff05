#if HTTP
import CToDoProtos
import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTransport

extension StatusCode {
  /// The code's name in the Connect protocol. An error with the code `ok` would look like success.
  var connectName: String {
    switch self {
    case .ok: "unknown"
    case .cancelled: "canceled"
    default: name.lowercased()
    }
  }

  /// The HTTP status of a failed unary call.
  var httpStatus: Int {
    switch self {
    case .cancelled: 499
    case .invalidArgument, .failedPrecondition, .outOfRange: 400
    case .unauthenticated: 401
    case .permissionDenied: 403
    case .notFound: 404
    case .alreadyExists, .aborted: 409
    case .resourceExhausted: 429
    case .unimplemented: 501
    case .unavailable: 503
    case .deadlineExceeded: 504
    case .ok, .unknown, .internal, .dataLoss: 500
    }
  }
}

extension ByteBuffer {
  /// Appends an error as JSON: its code, its message and the details of `google.rpc.Status`.
  mutating func writeJSON(_ error: RPCError) {
    let error = error.bounded
    let arena = Arena()
    defer { arena.release() }
    writeString(#"{"code":""#)
    writeString(error.code.connectName)
    writeString(#"","message":"#)
    writeJSON(error.message)
    let status = error.status(in: arena).pointee
    for index in 0..<status.n_details {
      guard let detail = status.details[index]?.pointee else { continue }
      writeString(index == 0 ? #","details":[{"type":"# : #",{"type":"#)
      // The prefix `type.googleapis.com/` is implied.
      writeJSON(
        String(decoding: detail.type_url.buffer, as: UTF8.self).split(separator: "/").last.map(String.init) ?? "")
      writeString(#","value":""#)
      writeString(Array(detail.value.buffer).base64)
      writeString(#""}"#)
    }
    writeString(status.n_details > 0 ? "]}" : "}")
  }

  /// Appends metadata as a JSON object: each key with the array of its values.
  mutating func writeJSON(_ metadata: Metadata) {
    let values = Dictionary(grouping: metadata.pairs, by: \.key)
    for (index, key) in values.keys.sorted().enumerated() {
      writeString(index == 0 ? "{" : "],")
      writeJSON(key)
      for (index, pair) in (values[key] ?? []).enumerated() {
        writeString(index == 0 ? ":[" : ",")
        writeJSON(pair.value)
      }
    }
    writeString(values.isEmpty ? "{}" : "]}")
  }

  /// Appends a text as a JSON string.
  mutating func writeJSON(_ text: String) {
    writeInteger(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): writeBytes([UInt8(ascii: "\\"), byte])
      case ..<0x20, 0x7f:
        let hexadecimal = String(byte, radix: 16)
        writeString(#"\u"# + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal)
      default: writeInteger(byte)
      }
    }
    writeInteger(UInt8(ascii: "\""))
  }
}
#endif
