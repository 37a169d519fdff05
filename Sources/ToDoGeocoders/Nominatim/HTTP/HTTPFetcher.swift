#if Nominatim
/// An HTTP client that does not follow redirects.
///
/// **Errors** are `GeocoderError` and, as soon as the task is cancelled, `CancellationError`.
protocol HTTPFetcher: Sendable {
  /// Sends a GET request and returns the response.
  ///
  /// - Parameter url: an absolute URL with the scheme `http` or `https`.
  func get(_ url: String) async throws -> HTTPResponse

  /// Cancels the running requests and closes all connections. Later requests throw `GeocoderError.unavailable`.
  func shutDown() async
}

/// The parts of an HTTP response that the Nominatim client uses.
struct HTTPResponse: Equatable, Sendable {
  var status: Int
  /// The value of the header `Location`.
  var location: String?
  /// The value of the header `Retry-After`.
  var retryAfter: String?
  var body: [UInt8] = []
}
#endif
