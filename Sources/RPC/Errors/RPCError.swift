/// Why a call failed: a google.rpc.Status with its details.
public struct RPCError: Error, Equatable, Sendable {
  public var code: StatusCode
  /// For people. Programs look at the code and the reason.
  public var message: String
  /// What exactly happened, in UPPER_SNAKE_CASE, unique in its domain; empty when the peer did not say.
  public var reason: String
  /// Who defines the reason: `ttrpc` for the wire, `todo.v1` for the list.
  public var domain: String
  /// Values that belong to the reason.
  public var metadata: [String: String]
  /// Every field of the request that is at fault.
  public var violations: [Violation]
  /// The shortest time to wait before the call is repeated; `nil` if the server does not suggest one. Not negative.
  public var retryAfter: Duration?
  /// Whether the call certainly had no effect, as it never left: then even a call that is not idempotent can be
  /// repeated. Not on the wire.
  public var isUnsent = false

  public struct Violation: Hashable, Sendable {
    /// The path of the field in the request.
    public var field: String
    public var reason: String

    public init(field: String, reason: String) {
      self.field = field
      self.reason = reason
    }
  }

  public init(
    _ code: StatusCode, reason: String, domain: String = RPCError.wireDomain, _ message: String,
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

  /// The domain of the reasons that the wire itself gives.
  public static let wireDomain = "ttrpc"
}

extension RPCError: CustomStringConvertible {
  public var description: String { "\(code.name): \(message)" }
}
