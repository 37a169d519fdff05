import ToDoProtobuf

/// The error of a failed call: a `google.rpc.Status` with its details.
public struct RPCError: Error, Equatable, Sendable {
  /// The status code.
  public var code: StatusCode
  /// A human-readable message. Programs use the code and the reason.
  public var message: String
  /// The specific cause in UPPER_SNAKE_CASE, unique in its domain. Empty if the peer did not specify it.
  public var reason: String
  /// The domain that defines the reason: `ttrpc` for the RPC layer, `todo.v1` for the list.
  public var domain: String
  /// Additional values of the reason.
  public var metadata: [String: String]
  /// The invalid fields of the request.
  public var violations: [Violation]
  /// The shortest time to wait before the call is repeated; `nil` if the server does not suggest one. Not negative.
  public var retryAfter: Duration?
  /// Messages of other types that describe the error, after those of `google.rpc`. A client does not decode them.
  package var details: [Detail] = []
  /// Whether the call was certainly not sent and had no effect. Even a call that is not idempotent can then be
  /// repeated. This property is not transmitted.
  public var isUnsent = false

  /// An invalid field of a request.
  public struct Violation: Hashable, Sendable {
    /// The path of the field in the request.
    public var field: String
    /// The violated rule.
    public var reason: String

    /// Creates a violation.
    public init(field: String, reason: String) {
      self.field = field
      self.reason = reason
    }
  }

  /// A message that describes an error.
  package struct Detail: Hashable, Sendable {
    /// The URL of the message's type, which ends with its full name.
    package var typeURL: String
    /// The encoded message.
    package var value: [UInt8]

    /// Creates a detail.
    package init(typeURL: String, value: [UInt8]) {
      self.typeURL = typeURL
      self.value = value
    }
  }

  /// Creates an error.
  public init(
    _ code: StatusCode, reason: String, domain: String = RPCError.rpcDomain, _ message: String,
    metadata: [String: String] = [:], violations: [Violation] = [], retryAfter: Duration? = nil
  ) {
    self.code = code
    self.message = message
    self.reason = reason
    self.domain = domain
    self.metadata = metadata
    self.violations = violations
    self.retryAfter = retryAfter
  }

  /// The domain of the RPC layer's error reasons.
  public static let rpcDomain = "ttrpc"
}

extension RPCError: CustomStringConvertible {
  public var description: String { "\(code.name): \(message)" }
}

extension RPCError {
  /// Returns the error that a client receives for an error that ended its call. Errors of unknown types become
  /// `internal`; `LoggingInterceptor` logs them.
  package init(mapping error: any Error) {
    switch error {
    case let error as RPCError: self = error
    case let failure as DecodingFailure: self = RPCError(failure, of: "the request's message")
    case is CancellationError: self = .cancelled
    default: self = .internal
    }
  }
}

/// The bounds of an error that a server sends, or a client received.
///
/// An error can fill a whole frame. Parts beyond these limits are dropped instead of rejected, so that the client still
/// receives the error.
extension RPCError {
  /// The limits of an error.
  package enum Limits {
    /// The maximum size of the message, in bytes of UTF-8.
    package static let message = 4096
    /// The maximum number of violations.
    package static let violations = 4000
    /// The maximum size of a violation's field or reason, in bytes of UTF-8.
    package static let violationText = 1024
    /// The maximum number of metadata entries.
    package static let metadata = 64
    /// The maximum size of a metadata key or value, in bytes of UTF-8.
    package static let metadataText = 1024
    /// The maximum size of the reason or the domain, in bytes of UTF-8.
    package static let name = 128
  }

  /// The error within the limits. Its texts can contain control characters, which must be escaped for display.
  package var bounded: RPCError {
    var error = self
    error.message = message.prefix(upToBytes: Limits.message)
    error.reason = reason.prefix(upToBytes: Limits.name)
    error.domain = domain.prefix(upToBytes: Limits.name)
    error.violations = violations.prefix(Limits.violations).map { violation in
      Violation(
        field: violation.field.prefix(upToBytes: Limits.violationText),
        reason: violation.reason.prefix(upToBytes: Limits.violationText))
    }
    if metadata.count > Limits.metadata {
      let keys = metadata.keys.sorted().prefix(Limits.metadata)
      error.metadata = metadata.filter { keys.contains($0.key) }
    }
    error.metadata = Dictionary(
      error.metadata.map { key, value in
        (key.prefix(upToBytes: Limits.metadataText), value.prefix(upToBytes: Limits.metadataText))
      }
    ) { first, _ in first }
    return error
  }
}

extension String {
  /// Returns the longest prefix of at most `limit` bytes of UTF-8.
  fileprivate func prefix(upToBytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var (prefix, size) = ("", 0)
    for scalar in unicodeScalars {
      size += UTF8.width(scalar)
      guard size <= limit else { break }
      prefix.unicodeScalars.append(scalar)
    }
    return prefix
  }
}
