/// An endpoint that cannot be used, and the reason.
public struct EndpointError: Error, Equatable, CustomStringConvertible {
  /// The endpoint.
  public let endpoint: Endpoint
  /// The endpoint and the reason, for an error message.
  public let description: String

  /// Creates an error for an operation that failed with another error.
  package init(_ endpoint: Endpoint, _ what: String, _ reason: any Error) {
    self.init(endpoint, "\(what): \(reason)")
  }

  /// Creates an error with a reason.
  package init(_ endpoint: Endpoint, _ what: String) {
    self.endpoint = endpoint
    description = "\(endpoint): \(what)"
  }
}
