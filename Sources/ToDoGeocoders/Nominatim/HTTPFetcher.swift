/// Fetches pages by HTTP, without following redirects.
///
/// **Errors** are `GeocoderError` and, as soon as the task is cancelled, `CancellationError`.
protocol HTTPFetcher: Sendable {
  /// - Parameter url: with the scheme `http` or `https`.
  func get(_ url: String) async throws -> HTTPResponse

  /// Ends what runs and closes all connections; whoever fetches afterwards is told `GeocoderError.unavailable`.
  func shutDown() async
}

/// What a web server answered.
struct HTTPResponse: Equatable, Sendable {
  var status: Int
  /// The header `Location`.
  var location: String?
  /// The header `Retry-After`.
  var retryAfter: String?
  var body: [UInt8] = []
}
