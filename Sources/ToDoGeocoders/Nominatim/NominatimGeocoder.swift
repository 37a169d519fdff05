package import ToDoModel

/// Asks a server that speaks Nominatim's `/search`.
///
/// There is no default server, because the operator of a server sets the allowed rate. Requests are sent one by one. The
/// owners of the queries take turns, and the callers of one owner go in order; when too many wait, for one owner or in
/// all, further calls throw `GeocoderError.rateLimited`. So do all calls until the time of the server's `Retry-After`,
/// and no request is sent until then.
///
/// **Errors.** No connection, a connection that breaks off, HTTP status 5xx and a redirect to another server are
/// `unavailable`; 401, 402, 403 and 407 `notPermitted`; 429 `rateLimited`; what is no list of places, or too long,
/// `malformedAnswer`.
package struct NominatimGeocoder: Geocoder {
  private let configuration: NominatimConfiguration
  private let fetcher: any HTTPFetcher
  private let rateLimiter: RateLimiter
  private let clock: any Clock<Duration>
  private let wallClock: any WallClock

  /// Opens no connection before the first question. Whoever has asked must call `shutDown` at the end.
  ///
  /// - Parameter wallClock: for a date in `Retry-After`.
  package init(
    _ configuration: NominatimConfiguration, clock: any Clock<Duration> = ContinuousClock(),
    wallClock: any WallClock = SystemWallClock()
  ) {
    let limits = AsyncHTTPFetcher.Limits(
      connectTimeout: configuration.connectTimeout, bodySize: configuration.bodySizeLimit)
    let fetcher = AsyncHTTPFetcher(userAgent: configuration.userAgent, limits: limits)
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
    throw GeocoderError.unavailable(detail: "it redirects more than \(Self.redirectLimit) times")
  }

  /// Closes the connections. Whoever asks afterwards is told `GeocoderError.unavailable`.
  package func shutDown() async {
    await fetcher.shutDown()
  }

  /// Returns when so many callers wait for their turn, for tests.
  func waitForQueuedCallers(_ count: Int) async {
    while rateLimiter.waitingCallerCount < count { await Task.yield() }
  }

  private static let redirectLimit = 3

  private func response(to url: String, for owner: OwnerID?) async throws -> NominatimResponse {
    try await rateLimiter.waitForTurn(for: owner)
    let response = try await withDeadline(after: configuration.requestTimeout, clock: clock) { [fetcher] in
      try await fetcher.get(url)
    }
    return NominatimResponse(response, to: url, at: wallClock.now())
  }
}
