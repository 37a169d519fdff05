package import ToDoModel
package import ToDoRules

/// The geocoder that a selection describes, which can be queried until `shutDown()`.
package struct OpenGeocoder: Sendable {
  /// The composed geocoder, or `nil` if the selection is empty.
  package let geocoder: (any Geocoder)?
  private let shutDownServers: @Sendable () async -> Void

  /// Composes the selected geocoders.
  ///
  /// Cache files and connections are opened by the first query that needs them.
  ///
  /// - Parameters:
  ///   - selection: the geocoders to compose.
  ///   - program: the program that is identified to servers.
  ///   - clock: the clock of timeouts, rate limits and simulated latency.
  ///   - wallClock: the clock of cached results and dates in HTTP headers.
  ///   - cacheObserver: receives the lookups in the cache of servers' results.
  ///   - reportCacheFailure: receives one sentence if the cache file cannot be used.
  ///   - decorate: wraps each geocoder, given its name in a selection without its options. A server's geocoder is wrapped
  ///     below the cache.
  ///   - makeGazetteer: makes the gazetteer; called only if it is selected.
  /// - Throws: the error of `makeGazetteer`.
  package init(
    _ selection: GeocoderSelection, program: Program, clock: any Clock<Duration> = ContinuousClock(),
    wallClock: any WallClock = SystemWallClock(), cacheObserver: (any CacheObserver)? = nil,
    reportCacheFailure: @escaping @Sendable (String) -> Void = { _ in },
    decorate: (_ geocoder: any Geocoder, _ name: String) -> any Geocoder = { geocoder, _ in geocoder },
    makeGazetteer: () throws -> any Geocoder
  ) throws {
    #if Nominatim
    var servers: [NominatimGeocoder] = []
    // All servers share one storage, whose file one connection writes.
    let storage = SQLiteCacheStorage(path: program.cachePath, report: reportCacheFailure)
    #endif
    let geocoders: [any Geocoder] = try selection.choices.map { choice in
      switch choice {
      case .gazetteer: return decorate(try makeGazetteer(), "gazetteer")
      case .simulated(let options): return decorate(SimulatedGeocoder(options, clock: clock), "simulated")
      #if Nominatim
      case .nominatim(let url):
        let configuration = NominatimConfiguration(url: url, product: program.product, contact: program.contact)
        let server = NominatimGeocoder(configuration, clock: clock, wallClock: wallClock)
        servers.append(server)
        return CachingGeocoder(
          wrapping: decorate(server, "nominatim"), scope: "\(url)", storage: storage, clock: wallClock,
          observer: cacheObserver)
      #endif
      }
    }
    geocoder = geocoders.count > 1 ? FallbackGeocoder(geocoders) : geocoders.first
    #if Nominatim
    shutDownServers = { [servers] in for server in servers { await server.shutDown() } }
    #else
    shutDownServers = {}
    #endif
  }

  /// Closes all connections. Later queries to a server throw `GeocoderError.unavailable`.
  package func shutDown() async {
    await shutDownServers()
  }
}

extension OpenGeocoder {
  /// The program that queries the servers.
  package struct Program: Sendable {
    /// The product and its version, for example "todo/1.0".
    package var product: String
    /// An email address or web page through which a server's operator can reach the operator of this program.
    package var contact: String?
    /// The file that caches the results of servers. If `nil`, results are cached in memory.
    package var cachePath: String?

    /// Creates a program description.
    package init(product: String, contact: String? = nil, cachePath: String? = nil) {
      self.product = product
      self.contact = contact
      self.cachePath = cachePath
    }
  }
}
