/// An endpoint cannot be used; says which and why.
public struct EndpointError: Error, Equatable, CustomStringConvertible {
  public let endpoint: Endpoint
  public let description: String

  package init(_ endpoint: Endpoint, _ what: String, _ reason: any Error) {
    self.init(endpoint, "\(what): \(reason)")
  }

  package init(_ endpoint: Endpoint, _ what: String) {
    self.endpoint = endpoint
    description = "\(endpoint): \(what)"
  }
}
