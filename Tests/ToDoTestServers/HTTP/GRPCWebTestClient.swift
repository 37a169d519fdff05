#if HTTP
import NIOCore
import NIOHPACK
import NIOHTTP1
package import ToDoRPC
package import ToDoTransport

/// A client of gRPC-Web, as pages are: streams are text, and other calls are binary.
package struct GRPCWebTestClient: MethodClient {
  private let http: HTTP1TestClient

  /// Creates a client of a server on a TCP port.
  package init(_ endpoint: Endpoint) throws { http = try HTTP1TestClient(endpoint) }

  package func call(_ method: MethodName, _ request: [UInt8], metadata: [String: String]) async throws -> [UInt8] {
    let frame = HTTP2TestStream.prefix(request.count) + request
    return try await http.send(method, "application/grpc-web+proto", ByteBuffer(bytes: frame), metadata) {
      head, parts in
      var response = try Response(head, isText: false)
      let message = try await response.next(parts)
      guard let message, try await response.next(parts) == nil else {
        throw InvalidGRPCResponse("there is no response, or several")
      }
      return message
    }
  }

  package func readStream(
    _ method: MethodName, _ request: [UInt8], metadata: [String: String],
    _ body: (_ next: () async throws -> [UInt8]?) async throws -> Void
  ) async throws {
    let frame = HTTP2TestStream.prefix(request.count) + request
    let text = ByteBuffer(string: frame.paddedBase64)
    try await http.send(method, "application/grpc-web-text", text, metadata) { head, parts in
      var response = try Response(head, isText: true)
      try await body { try await response.next(parts) }
    }
  }

  /// A response whose messages are read one by one.
  private struct Response {
    private let isText: Bool
    private var text = ByteBuffer()
    private var bytes = ByteBuffer()
    private var isComplete = false

    /// - Throws: the status of a failed call, an `RPCError`; `InvalidGRPCResponse`.
    init(_ head: HTTPResponseHead, isText: Bool) throws {
      self.isText = isText
      let type = "application/grpc-web\(isText ? "-text" : "")+proto"
      guard head.status == .ok, head.headers["content-type"] == [type] else { throw InvalidGRPCResponse("\(head)") }
      guard head.headers.contains(name: "grpc-status") else { return }
      if let error = try RPCError(trailers: HPACKHeaders(httpHeaders: head.headers)) { throw error }
      throw InvalidGRPCResponse("a response without messages has succeeded")
    }

    mutating func next(_ parts: () async throws -> HTTPClientResponsePart?) async throws -> [UInt8]? {
      while !isComplete {
        if let (flags, message) = try nextFrame() {
          guard flags == 0x80 else { return message }
          isComplete = true
          if let error = try RPCError(trailers: Self.trailers(message)) { throw error }
          return nil
        }
        guard case .body(var part)? = try await parts() else { throw InvalidGRPCResponse("a response has no trailers") }
        if isText { try append(text: part) } else { bytes.writeBuffer(&part) }
      }
      return nil
    }

    /// Decodes whole groups of four digits, each of which may be padded.
    private mutating func append(text part: ByteBuffer) throws {
      text.writeImmutableBuffer(part)
      while let group = text.readString(length: 4) {
        guard let decoded = String(group.prefix { $0 != "=" }).decodedBase64 else { throw InvalidGRPCResponse(group) }
        bytes.writeBytes(decoded)
      }
    }

    private mutating func nextFrame() throws -> (flags: UInt8, [UInt8])? {
      guard let length: UInt32 = bytes.getInteger(at: bytes.readerIndex + 1),
        bytes.readableBytes >= 5 + Int(length), let flags: UInt8 = bytes.readInteger()
      else { return nil }
      guard flags == 0 || flags == 0x80 else { throw InvalidGRPCResponse("a message has the flags \(flags)") }
      bytes.moveReaderIndex(forwardBy: 4)
      return bytes.readBytes(length: Int(length)).map { (flags, $0) }
    }

    private static func trailers(_ message: [UInt8]) -> HPACKHeaders {
      let lines = String(decoding: message, as: UTF8.self).split(separator: "\r\n")
      return HPACKHeaders(
        lines.map { line in
          let name = line.prefix { $0 != ":" }
          return (String(name), String(line.dropFirst(name.count + 2)))
        })
    }
  }
}

extension [UInt8] {
  fileprivate var paddedBase64: String { base64 + String(repeating: "=", count: (3 - count % 3) % 3) }
}
#endif
