#if Nominatim
/// An HTTP client that does not follow redirects.
///
/// **Errors** are `HTTPError` and, as soon as the task is canceled, `CancellationError`.
package protocol HTTPFetcher: Sendable {
  /// Sends a GET request and returns the response.
  ///
  /// - Parameter url: an absolute URL with the scheme `http` or `https`.
  func get(_ url: String) async throws -> HTTPClientResponse

  /// Cancels the running requests and closes all connections. Later requests throw `HTTPError.shutDown`.
  func shutDown() async
}

/// An HTTP client that sends data. It does not follow redirects.
///
/// **Errors** are `HTTPError` and, as soon as the task is canceled, `CancellationError`.
package protocol HTTPPoster: Sendable {
  /// Sends a POST request, and returns the response without its body.
  ///
  /// The host name is resolved once, and the connection is made to one of the addresses that were checked.
  ///
  /// - Parameter destinations: the permitted ports and addresses. For others, `HTTPError.refusedDestination` is thrown, and nothing
  ///   is sent.
  func post(_ request: HTTPClientRequest, to destinations: HTTPDestinations) async throws -> HTTPClientResponse
}

/// The parts of an HTTP response that its callers use.
package struct HTTPClientResponse: Equatable, Sendable {
  /// The status code.
  package var status: Int
  /// The value of the header `Location`.
  package var location: String?
  /// The value of the header `Retry-After`.
  package var retryAfter: String?
  /// The body.
  package var body: [UInt8] = []

  /// Creates a response.
  package init(status: Int, location: String? = nil, retryAfter: String? = nil, body: [UInt8] = []) {
    (self.status, self.location, self.retryAfter, self.body) = (status, location, retryAfter, body)
  }
}
#endif
