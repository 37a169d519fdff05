import CToDoConformance
import CToDoProtos
import ToDoProtobuf
import ToDoProtobufJSON
import ToDoRPC
import ToDoSupport

/// The methods of the conformance service that the product's transports can serve.
enum ConformanceService {
  private static let prefix = "connectrpc.conformance.v1."

  /// The methods. The others are unknown to the server, as `Unimplemented` must be.
  static var methods: [ServerMethod] { [unary, idempotentUnary, serverStream] }

  /// The converters of the methods' messages.
  static var messages: MessageJSON.Methods {
    MessageJSON.methods(of: [connectrpc__conformance__v1__conformance_service__descriptor], in: schema)
  }

  private static var schema: MessageSchema {
    let service = connectrpc__conformance__v1__conformance_service__descriptor
    let methods = UnsafeBufferPointer(start: service.methods, count: Int(service.n_methods))
    let bytesFields = [
      "ConformancePayload.data", "IdempotentUnaryRequest.request_data", "ServerStreamRequest.request_data",
      "StreamResponseDefinition.response_data", "UnaryRequest.request_data", "UnaryResponseDefinition.response_data",
    ]
    return MessageSchema(
      bytesFields: Set(bytesFields.map { prefix + $0 }), anyTypes: methods.compactMap { method in method.input })
  }

  private static func name(_ method: String) -> MethodName {
    MethodName(service: prefix + "ConformanceService", method: method)
  }

  // MARK: Methods with one response

  private static var unary: ServerMethod {
    answering("Unary") { arena, bytes in
      let request = try arena.unpack(connectrpc__conformance__v1__unary_request__init, bytes).pointee
      return ResponseDefinition(request.response_definition)
    }
  }

  private static var idempotentUnary: ServerMethod {
    var method = answering("IdempotentUnary") { arena, bytes in
      let request = try arena.unpack(connectrpc__conformance__v1__idempotent_unary_request__init, bytes).pointee
      return ResponseDefinition(request.response_definition)
    }
    method.hasNoSideEffects = true
    return method
  }

  private static func answering(
    _ name: String, _ decode: @escaping @Sendable (Arena, UnsafeRawBufferPointer) throws -> ResponseDefinition
  ) -> ServerMethod {
    var method = ServerMethod.unary(Self.name(name)) { bytes, arena, call in
      let definition = try decode(arena, bytes)
      let info = RequestInfo(call, request: prefix + name + "Request", bytes)
      return .pending {
        call.exchange?.metadata = definition.metadata
        try await definition.wait()
        if let error = definition.error { throw error.describing(info) }
        return ConformancePayload(data: definition.data.first ?? [], info: info).response
      }
    }
    method.exchangesMetadata = true
    return method
  }

  // MARK: The method with a stream of responses

  private static var serverStream: ServerMethod {
    var method = ServerMethod.streaming(name("ServerStream")) { bytes, arena in
      let request = try arena.unpack(connectrpc__conformance__v1__server_stream_request__init, bytes).pointee
      let definition = ResponseDefinition(request.response_definition)
      let encoded = Array(bytes)
      return { call, _, outgoing in
        let info = encoded.withUnsafeBytes { RequestInfo(call, request: prefix + "ServerStreamRequest", $0) }
        call.exchange?.metadata = definition.metadata
        for (index, data) in definition.data.enumerated() {
          try await definition.wait()
          try await outgoing.send(ConformancePayload(data: data, info: index == 0 ? info : nil).response)
        }
        guard let error = definition.error else { return }
        throw definition.data.isEmpty ? error.describing(info) : error
      }
    }
    method.exchangesMetadata = true
    return method
  }
}

extension RPCError {
  /// Returns the error with the call as the server sees it, among its details.
  fileprivate func describing(_ info: RequestInfo) -> RPCError {
    var error = self
    error.details.append(info.detail)
    return error
  }
}
