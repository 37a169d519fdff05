#if Nominatim
import ToDoHTTP
package import ToDoModel
import ToDoRules

/// A geocoder that queries the `/search` endpoint of a Nominatim server.
///
/// There is no default server, because the operator of a server sets the allowed rate. Requests start at a minimum
/// interval. The owners of the queries take turns, and the callers of one owner are served in order. If too many callers
/// wait, for one owner or in total, further calls throw `GeocoderError.rateLimited`. After a response with
/// `Retry-After`, no request is sent and all calls throw `GeocoderError.rateLimited` until that time.
///
/// **Errors.**
/// - `unavailable`: a failed or broken connection, HTTP status 5xx, or a redirect to another server
/// - `notPermitted`: HTTP status 401, 402, 403 or 407
/// - `rateLimited`: HTTP status 429
/// - `timedOut`: HTTP status 408, or no complete response within the request timeout
/// - `malformedResponse`: a response that is not a list of places, or is too long
package struct NominatimGeocoder: Geocoder {
  private let configuration: NominatimConfiguration
  private let fetcher: any HTTPFetcher
  private let rateLimiter: RateLimiter
  private let clock: any Clock<Duration>
  private let wallClock: any WallClock

  /// Creates a geocoder. The first query opens a connection; call `shutDown()` to close it.
  ///
  /// - Parameters:
  ///   - configuration: the server and the limits.
  ///   - clock: the clock of timeouts and the rate limit.
  ///   - wallClock: the clock that dates in `Retry-After` are compared with.
  package init(
    _ configuration: NominatimConfiguration, clock: any Clock<Duration> = ContinuousClock(),
    wallClock: any WallClock = SystemWallClock()
  ) {
    let limits = NIOHTTPFetcher.Limits(
      connectTimeout: configuration.connectTimeout, bodySize: configuration.bodySizeLimit)
    let fetcher = NIOHTTPFetcher(userAgent: configuration.userAgent, limits: limits)
    self.init(configuration, fetcher: fetcher, clock: clock, wallClock: wallClock)
  }

  init(
    _ configuration: NominatimConfiguration, fetcher: any HTTPFetcher, clock: any Clock<Duration>,
    wallClock: any WallClock
  ) {
    self.configuration = configuration
    self.fetcher = fetcher
    self.clock = clock
    self.wallClock = wallClock
    rateLimiter = RateLimiter(
      interval: configuration.requestInterval, ownerLimit: configuration.queueLimit,
      totalLimit: configuration.totalQueueLimit, clock: clock)
  }

  package var attribution: String { NominatimResponseBody.attribution }

  package func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    try Task.checkCancellation()
    guard query.limit > 0, !query.address.allSatisfy(\.isWhitespace) else { return [] }
    var url = configuration.url.searchURL(for: query)
    for _ in 0...Self.redirectLimit {
      switch try await response(to: url, for: query.owner) {
      case .succeeded(let body): return try NominatimResponseBody.candidates(in: body, for: query)
      case .redirected(let other): url = other
      case .failed(let error, let pause):
        if let pause { rateLimiter.pause(for: pause) }
        throw error
      }
    }
    throw GeocoderError.unavailable(detail: "the server redirected more than \(Self.redirectLimit) times")
  }

  /// Closes all connections. Later queries throw `GeocoderError.unavailable`.
  package func shutDown() async {
    await fetcher.shutDown()
  }

  /// Waits until `count` callers are queued, for tests.
  func waitForQueuedCallers(_ count: Int) async {
    while rateLimiter.waitingCallerCount < count { await Task.yield() }
  }

  private static let redirectLimit = 3

  private func response(to url: String, for owner: OwnerID?) async throws -> NominatimResponse {
    try await rateLimiter.waitForTurn(for: owner)
    do {
      let response = try await withDeadline(after: configuration.requestTimeout, clock: clock) { [fetcher] in
        try await fetcher.get(url)
      }
      return NominatimResponse(response, to: url, at: wallClock.now())
    } catch let error as HTTPError {
      throw GeocoderError(error)
    }
  }
}
#endif
