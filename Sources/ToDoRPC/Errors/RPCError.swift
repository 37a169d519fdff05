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

  /// The domain of the reasons of the RPC layer.
  public static let rpcDomain = "ttrpc"
}

extension RPCError: CustomStringConvertible {
  public var description: String { "\(code.name): \(message)" }
}
