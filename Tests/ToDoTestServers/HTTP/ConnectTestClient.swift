#if HTTP
import Foundation
import NIOCore
import NIOHTTP1
import ToDoProtobuf
import ToDoProtobufJSON
package import ToDoRPC
import ToDoTTRPC
import ToDoTestSupport
package import ToDoTransport

/// A client of the Connect protocol. Messages are JSON, unless they have no form in JSON, as times after the year 9999. Each
/// call has a connection of its own.
package struct ConnectTestClient: MethodClient {
  private let http: HTTP1TestClient

  /// Creates a client of a server on a TCP port.
  package init(_ endpoint: Endpoint) throws { http = try HTTP1TestClient(endpoint) }

  package func call(_ method: MethodName, _ request: [UInt8], metadata: [String: String]) async throws -> [UInt8] {
    let json = try? Self.messages(of: method).request.json(request)
    let type = json == nil ? "application/proto" : "application/json"
    return try await http.send(method, type, json ?? ByteBuffer(bytes: request), metadata) { head, parts in
      var body = ByteBuffer()
      while case .body(var bytes)? = try await parts() { body.writeBuffer(&bytes) }
      guard head.status == .ok else { throw try RPCError(connectJSON: Data(body.readableBytesView)) }
      return json == nil ? Array(body.readableBytesView) : try Self.messages(of: method).response.message(body)
    }
  }

  package func readStream(
    _ method: MethodName, _ request: [UInt8], metadata: [String: String],
    _ body: (_ next: () async throws -> [UInt8]?) async throws -> Void
  ) async throws {
    let messages = try Self.messages(of: method)
    let json = try messages.request.json(request)
    var frame = ByteBuffer(integer: UInt8(0))
    frame.writeInteger(UInt32(json.readableBytes))
    frame.writeImmutableBuffer(json)
    try await http.send(method, "application/connect+json", frame, metadata) { head, parts in
      guard head.status == .ok else { throw InvalidConnectResponse("a stream has the status \(head.status)") }
      var received = ByteBuffer()
      try await body {
        while true {
          if let (isEnd, message) = Self.nextMessage(&received) {
            guard isEnd else { return try messages.response.message(message) }
            let end = try JSONDecoder().decode(StreamEnd.self, from: Data(message.readableBytesView))
            if let error = end.error { throw try RPCError(error) }
            return nil
          }
          guard case .body(var bytes)? = try await parts() else { throw InvalidConnectResponse("a stream has no end") }
          received.writeBuffer(&bytes)
        }
      }
    }
  }

  // MARK: Messages

  private static func messages(of method: MethodName) throws -> MessageJSON.Method {
    guard let messages = MessageJSON.methods[method.service]?[method.method] else {
      throw InvalidConnectResponse("\(method) is not a method of the schema")
    }
    return messages
  }

  private static func nextMessage(_ received: inout ByteBuffer) -> (isEnd: Bool, ByteBuffer)? {
    guard let length = received.getInteger(at: received.readerIndex + 1, as: UInt32.self),
      received.readableBytes >= 5 + Int(length), let flags = received.readInteger(as: UInt8.self)
    else { return nil }
    received.moveReaderIndex(forwardBy: 4)
    return received.readSlice(length: Int(length)).map { (flags == 2, $0) }
  }
}

/// A response that violates the Connect protocol.
package struct InvalidConnectResponse: Error {
  package let reason: String

  init(_ reason: String) { self.reason = reason }
}

/// The last message of a stream.
private struct StreamEnd: Decodable {
  let error: ConnectError?
}

/// An error as JSON.
private struct ConnectError: Decodable {
  struct Detail: Decodable {
    let type: String
    let value: String
  }

  let code: String
  let message: String?
  let details: [Detail]?
}

extension RPCError {
  fileprivate init(connectJSON json: Data) throws { try self.init(JSONDecoder().decode(ConnectError.self, from: json)) }

  fileprivate init(_ error: ConnectError) throws {
    let name = error.code == "canceled" ? "cancelled" : error.code
    guard let code = StatusCode.allCases.first(where: { $0.name.lowercased() == name }) else {
      throw InvalidConnectResponse("the code is \(error.code)")
    }
    var status = ProtobufBytes().field(1, Int64(code.rawValue)).field(2, error.message ?? "")
    for detail in error.details ?? [] {
      guard let value = detail.value.decodedBase64 else { throw InvalidConnectResponse("a detail is not base64") }
      status = status.field(3, ProtobufBytes().field(1, "type.googleapis.com/\(detail.type)").field(2, value))
    }
    // A ttrpc response holds the same status.
    let arena = Arena()
    self = try ProtobufBytes().field(1, status).bytes.withUnsafeBytes {
      try ResponseEnvelope(decoding: $0, in: arena).error(in: arena) ?? .internal
    }
  }
}

extension MessageJSON {
  fileprivate func json(_ message: [UInt8]) throws -> ByteBuffer {
    var json = ByteBuffer()
    try encode(ByteBuffer(bytes: message), into: &json)
    return json
  }

  fileprivate func message(_ json: ByteBuffer) throws -> [UInt8] {
    var message = ByteBuffer()
    try decode(json, into: &message)
    return Array(message.readableBytesView)
  }
}
#endif
