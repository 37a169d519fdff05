import NIOCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// An endpoint that cannot be used, and the reason.
public struct EndpointError: Error, Equatable, CustomStringConvertible {
  /// The endpoint.
  public let endpoint: Endpoint
  /// The endpoint and the reason, for an error message.
  public let description: String

  /// Creates an error for an operation that failed with another error.
  package init(_ endpoint: Endpoint, _ what: String, _ reason: any Error) {
    // The description of an IOError names the system call, and says nothing else that its code does not.
    let text = (reason as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(reason)"
    self.init(endpoint, "\(what): \(text)")
  }

  /// Creates an error with a reason.
  package init(_ endpoint: Endpoint, _ what: String) {
    self.endpoint = endpoint
    description = "\(endpoint): \(what)"
  }
}
