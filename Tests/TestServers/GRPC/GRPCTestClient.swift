#if GRPC
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Protobuf
package import RPC
import TTRPC
package import Transport

import TestSupport

/// A client that sends and receives bytes, over grpc-swift's own transport.
package struct GRPCTestClient: Sendable {
  private typealias Base = GRPCClient<HTTP2ClientTransport.Posix>
  private let base: Base

  /// Connects during `body`.
  package static func with<Value: Sendable>(
    _ endpoint: Transport.Endpoint, tls: ClientTLS = ClientTLS(), _ body: (GRPCTestClient) async throws -> Value
  ) async throws -> Value {
    let (port, security): (Int, HTTP2ClientTransport.Posix.TransportSecurity) =
      switch endpoint {
      case .tcp(_, let port): (port, .plaintext)
      case .tls(_, let port): (port, .testing(tls))
      case .unix: preconditionFailure("there is no gRPC on Unix sockets")
      }
    var config = HTTP2ClientTransport.Posix.Config.defaults
    config.http2.authority = "localhost"
    let transport = try HTTP2ClientTransport.Posix(
      target: .ipv4(address: "127.0.0.1", port: port), transportSecurity: security, config: config)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      let base = Base(transport: transport)
      group.addTask { try await base.runConnections() }
      defer { group.cancelAll() }
      return try await body(GRPCTestClient(base: base))
    }
  }

  /// Calls a method that returns one response.
  ///
  /// - Throws: `RPC.RPCError`, with the details that came with it.
  package func call(
    _ method: MethodName, _ request: [UInt8], metadata: [String: String] = [:]
  ) async throws -> [UInt8] {
    try await stream(method, [request], metadata: metadata) { messages in
      var last: [UInt8]?
      for try await message in messages { last = message }
      return last ?? []
    }
  }

  /// Calls a method, and reads its responses.
  ///
  /// - Throws: as `call`.
  package func stream<Value: Sendable>(
    _ method: MethodName, _ requests: [[UInt8]], metadata: [String: String] = [:],
    _ read: @escaping @Sendable (Messages) async throws -> Value
  ) async throws -> Value {
    let request = StreamingClientRequest<[UInt8]>(
      metadata: GRPCCore.Metadata(metadata.map { ($0.key, .string($0.value)) })
    ) { try await $0.write(contentsOf: requests) }
    do {
      return try await base.bidirectionalStreaming(
        request: request, descriptor: MethodDescriptor(fullyQualifiedService: method.service, method: method.method),
        serializer: PlainBytes(), deserializer: PlainBytes(), options: .defaults
      ) { try await read(Messages(base: $0.messages)) }
    } catch let error as GRPCCore.RPCError {
      throw try RPC.RPCError(error)
    }
  }
}

extension GRPCTestClient {
  /// The messages of a stream.
  package struct Messages: AsyncSequence {
    fileprivate let base: RPCAsyncSequence<[UInt8], any Error>

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }

    package struct AsyncIterator: AsyncIteratorProtocol {
      fileprivate var base: RPCAsyncSequence<[UInt8], any Error>.AsyncIterator

      package mutating func next() async throws -> [UInt8]? { try await base.next() }
    }
  }
}

private struct PlainBytes: MessageSerializer, MessageDeserializer {
  func serialize<Bytes: GRPCContiguousBytes>(_ message: [UInt8]) -> Bytes { Bytes(message) }

  func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) -> [UInt8] { bytes.withUnsafeBytes { Array($0) } }
}

extension RPC.RPCError {
  /// Reads the details that gRPC carries beside a status.
  fileprivate init(_ error: GRPCCore.RPCError) throws {
    let code = StatusCode(rawValue: Int32(error.code.rawValue)) ?? .unknown
    guard let details = error.metadata[binaryValues: "grpc-status-details-bin"].first(where: { _ in true }) else {
      self.init(code, reason: "", domain: "", error.message)
      return
    }
    // A ttrpc response holds the same status.
    let arena = Arena()
    let envelope = ProtobufBytes().field(1, details).bytes
    self = try envelope.withUnsafeBytes {
      try ResponseEnvelope(decoding: $0, in: arena).error(in: arena) ?? .internal
    }
    precondition(self.code == code, "the two statuses differ")
  }
}

extension HTTP2ClientTransport.Posix.TransportSecurity {
  fileprivate static func testing(_ tls: ClientTLS) -> Self {
    .tls { config in
      if let authorities = tls.authorities {
        config.trustRoots = .certificates([.file(path: authorities, format: .pem)])
      }
      if let identity = tls.identity {
        config.certificateChain = [.file(path: identity.certificate, format: .pem)]
        config.privateKey = .file(path: identity.key, format: .pem)
      }
    }
  }
}
#endif
