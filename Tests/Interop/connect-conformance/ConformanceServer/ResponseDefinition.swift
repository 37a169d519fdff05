import CToDoConformance
import CToDoProtos
import ToDoProtobuf
import ToDoRPC

/// The response that a request asks for.
struct ResponseDefinition: Sendable {
  /// Its headers and trailers.
  private(set) var metadata = ResponseMetadata()
  /// The data of each message.
  private(set) var data: [[UInt8]] = []
  /// The error at its end.
  private(set) var error: RPCError?
  private var delay = Duration.zero

  /// Reads the definition of one message or an error. Without a definition, there is a message without data.
  init(_ message: UnsafeMutablePointer<Connectrpc__Conformance__V1__UnaryResponseDefinition>?) {
    guard let definition = message?.pointee else { return }
    metadata.headers = Metadata(definition.response_headers, definition.n_response_headers)
    metadata.trailers = Metadata(definition.response_trailers, definition.n_response_trailers)
    delay = .milliseconds(definition.response_delay_ms)
    switch definition.response_case {
    case CONNECTRPC__CONFORMANCE__V1__UNARY_RESPONSE_DEFINITION__RESPONSE_RESPONSE_DATA:
      data = [Array(definition.response_data.buffer)]
    case CONNECTRPC__CONFORMANCE__V1__UNARY_RESPONSE_DEFINITION__RESPONSE_ERROR:
      error = definition.error.map { RPCError($0.pointee) }
    default: break
    }
  }

  /// Reads the definition of a stream. Without a definition, it has no messages.
  init(_ message: UnsafeMutablePointer<Connectrpc__Conformance__V1__StreamResponseDefinition>?) {
    guard let definition = message?.pointee else { return }
    metadata.headers = Metadata(definition.response_headers, definition.n_response_headers)
    metadata.trailers = Metadata(definition.response_trailers, definition.n_response_trailers)
    delay = .milliseconds(definition.response_delay_ms)
    let messages = UnsafeBufferPointer(start: definition.response_data, count: definition.n_response_data)
    data = messages.map { Array($0.buffer) }
    error = definition.error.map { RPCError($0.pointee) }
  }

  /// Waits for the time before a message or an error. The runner measures it with its own clock.
  func wait() async throws {
    if delay > .zero { try await Task.sleep(for: delay) }
  }
}

extension Metadata {
  /// Reads headers, each with one or more values.
  fileprivate init(
    _ headers: UnsafeMutablePointer<UnsafeMutablePointer<Connectrpc__Conformance__V1__Header>?>?, _ count: Int
  ) {
    self.init()
    for header in UnsafeBufferPointer(start: headers, count: count) {
      guard let header = header?.pointee, let name = header.name.text else { continue }
      for value in UnsafeBufferPointer(start: header.value, count: header.n_value) { append(name, value.text ?? "") }
    }
  }
}

extension RPCError {
  /// Reads an error, which has no reason.
  fileprivate init(_ error: Connectrpc__Conformance__V1__Error) {
    let hasMessage = error.optional_message_case == CONNECTRPC__CONFORMANCE__V1__ERROR__OPTIONAL_MESSAGE_MESSAGE
    self.init(
      StatusCode(rawValue: Int32(truncatingIfNeeded: error.code.rawValue)) ?? .unknown, reason: "", domain: "",
      hasMessage ? error.message.text ?? "" : "")
    details = UnsafeBufferPointer(start: error.details, count: error.n_details).compactMap { detail in
      detail.map { Detail(typeURL: $0.pointee.type_url.text ?? "", value: Array($0.pointee.value.buffer)) }
    }
  }
}
