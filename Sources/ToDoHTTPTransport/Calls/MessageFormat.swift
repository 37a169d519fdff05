#if HTTP
import NIOCore
import ToDoProtobuf
import ToDoProtobufJSON
import ToDoRPC

/// The format of a method's messages in requests and responses. Callable from any thread.
protocol MessageFormat: Sendable {
  /// Whether the format differs from the wire format.
  var isConversion: Bool { get }

  /// Returns the wire format of a request's message.
  ///
  /// - Throws: `RPCError`.
  func request(_ message: ByteBuffer) throws(RPCError) -> ByteBuffer

  /// Returns a response's message, which the server has encoded in the wire format.
  ///
  /// - Throws: `RPCError`.
  func response(_ message: ByteBuffer) throws(RPCError) -> ByteBuffer
}

/// The wire format of protobuf.
struct ProtoFormat: MessageFormat {
  let isConversion = false

  func request(_ message: ByteBuffer) -> ByteBuffer { message }

  func response(_ message: ByteBuffer) -> ByteBuffer { message }
}

/// The JSON of protobuf.
struct JSONFormat: MessageFormat {
  let isConversion = true
  private let messages: MessageJSON.Method
  private let maximumElements: Int
  private let maximumRequest, maximumResponse: Int

  /// Creates a method's format, or returns `nil` if the converters of its messages are missing.
  init?(_ method: ServerMethod, _ converters: MessageJSON.Methods, _ limits: ServerLimits) {
    guard let messages = converters[method.name.service]?[method.name.method] else { return nil }
    self.messages = messages
    maximumElements = method.maximumElements
    maximumRequest = limits.maximumFrameLength
    // The names of fields, and numbers as text, take more space than their encoding.
    maximumResponse = 4 * limits.maximumResponseLength
  }

  func request(_ message: ByteBuffer) throws(RPCError) -> ByteBuffer {
    var bytes = ByteBuffer()
    do throws(MessageJSONError) {
      try messages.request.decode(
        message, into: &bytes, maximumSize: maximumRequest, maximumElements: maximumElements)
    } catch {
      throw RPCError(error)
    }
    return bytes
  }

  func response(_ message: ByteBuffer) throws(RPCError) -> ByteBuffer {
    var json = ByteBuffer()
    json.reserveCapacity(2 * message.readableBytes + 64)
    do throws(MessageJSONError) {
      try messages.response.encode(message, into: &json, maximumSize: maximumResponse)
    } catch {
      throw error.failure == .tooLarge ? .messageTooLarge(maximumResponse + 1, limit: maximumResponse) : .internal
    }
    return json
  }
}

extension RPCError {
  /// Creates the error for a request whose JSON is not that of its message.
  fileprivate init(_ error: MessageJSONError) {
    switch error.failure {
    case .malformed, .tooManyElements:
      self = .malformed("the request's JSON is not that of the message: \(error)")
      if !error.path.isEmpty { violations = [Violation(field: error.path, reason: error.reason)] }
    case .tooLarge: self = .decodedMessageTooLarge
    }
  }
}

extension ServerMethod {
  /// Returns the format of the method's messages that a client has selected; `nil` if the method has none of this name.
  func format(
    _ name: FormatName, _ messages: MessageJSON.Methods, _ limits: ServerLimits
  ) -> (any MessageFormat)? {
    switch name {
    case .json: JSONFormat(self, messages, limits)
    case .proto: ProtoFormat()
    }
  }
}
#endif
