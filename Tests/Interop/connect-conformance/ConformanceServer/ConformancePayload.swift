import CToDoConformance
import CToDoProtos
import ToDoProtobuf
import ToDoRPC

/// The content of a response.
struct ConformancePayload: Sendable {
  let data: [UInt8]
  let info: RequestInfo?

  /// The response, which has the same encoding for each method.
  var response: OutgoingMessage {
    OutgoingMessage { arena in
      let payload = arena.make(connectrpc__conformance__v1__conformance_payload__init)
      payload.pointee.data = data.withUnsafeBytes { arena.bytes($0) }
      payload.pointee.request_info = info?.message(in: arena)
      let response = arena.make(connectrpc__conformance__v1__unary_response__init)
      response.pointee.payload = payload
      return response.message
    }
  }
}

/// A call as the server sees it. The queries of calls by GET are missing, because methods don't see them.
struct RequestInfo: Sendable {
  private static let urlPrefix = "type.googleapis.com/"

  private let metadata: Metadata
  private let timeout: Duration?
  private let request: RPCError.Detail

  /// - Parameter type: the full name of the request's type.
  init(_ call: CallContext, request type: String, _ bytes: UnsafeRawBufferPointer) {
    metadata = call.metadata
    timeout = call.exchange?.timeout
    request = RPCError.Detail(typeURL: Self.urlPrefix + type, value: Array(bytes))
  }

  /// The call among the details of an error.
  var detail: RPCError.Detail {
    let arena = Arena()
    return RPCError.Detail(
      typeURL: Self.urlPrefix + "connectrpc.conformance.v1.ConformancePayload.RequestInfo",
      value: Array(arena.pack(message(in: arena).message)))
  }

  /// Builds the message in an arena.
  func message(in arena: Arena) -> UnsafeMutablePointer<Connectrpc__Conformance__V1__ConformancePayload__RequestInfo> {
    let info = arena.make(connectrpc__conformance__v1__conformance_payload__request_info__init)
    let headers = headers(in: arena)
    info.pointee.n_request_headers = headers.count
    info.pointee.request_headers = arena.array(headers)
    if let timeout {
      info.pointee.timeout_case = CONNECTRPC__CONFORMANCE__V1__CONFORMANCE_PAYLOAD__REQUEST_INFO__TIMEOUT_TIMEOUT_MS
      info.pointee.timeout_ms = Int64(timeout / .milliseconds(1))
    }
    let any = arena.make(google__protobuf__any__init)
    any.pointee.type_url = arena.bytes(request.typeURL)
    any.pointee.value = request.value.withUnsafeBytes { arena.bytes($0) }
    info.pointee.n_requests = 1
    info.pointee.requests = arena.array([any])
    return info
  }

  private func headers(in arena: Arena) -> [UnsafeMutablePointer<Connectrpc__Conformance__V1__Header>?] {
    let values = Dictionary(grouping: metadata.pairs, by: \.key)
    return values.keys.sorted().map { key in
      let values = (values[key] ?? []).map { arena.bytes($0.value) }
      let header = arena.make(connectrpc__conformance__v1__header__init)
      header.pointee.name = arena.bytes(key)
      header.pointee.n_value = values.count
      header.pointee.value = arena.array(values)
      return header
    }
  }
}
