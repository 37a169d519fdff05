package import ToDoModel

/// The geocoder of a selection, ready to be asked until `shutDown`.
package struct OpenGeocoder: Sendable {
  /// `nil` when none is selected.
  package let geocoder: (any Geocoder)?
  private let servers: [NominatimGeocoder]

  /// Opens no file and no connection before the first question, but for what `makeGazetteer` does.
  ///
  /// - Parameters:
  ///   - program: whom servers see asking.
  ///   - makeGazetteer: called when the gazetteer is selected.
  /// - Throws: what `makeGazetteer` throws.
  package init(
    _ selection: GeocoderSelection, program: Program, clock: any Clock<Duration> = ContinuousClock(),
    wallClock: any WallClock = SystemWallClock(), makeGazetteer: () throws -> any Geocoder
  ) throws {
    var servers: [NominatimGeocoder] = []
    // One for all servers, as two could not write one file.
    let storage: any GeocodeCacheStorage =
      program.cachePath.map { FileCacheStorage(path: $0) } ?? MemoryCacheStorage()
    let geocoders: [any Geocoder] = try selection.choices.map { choice in
      switch choice {
      case .gazetteer: return try makeGazetteer()
      case .simulated(let options): return SimulatedGeocoder(options, clock: clock)
      case .nominatim(let url):
        let configuration = NominatimConfiguration(url: url, product: program.product, contact: program.contact)
        let server = NominatimGeocoder(configuration, clock: clock, wallClock: wallClock)
        servers.append(server)
        return CachingGeocoder(wrapping: server, scope: "\(url)", storage: storage, clock: wallClock)
      }
    }
    geocoder = geocoders.count > 1 ? FallbackGeocoder(geocoders) : geocoders.first
    self.servers = servers
  }

  /// Closes all connections. Whoever asks a server afterwards is told `GeocoderError.unavailable`.
  package func shutDown() async {
    for server in servers { await server.shutDown() }
  }
}

extension OpenGeocoder {
  /// The program that asks.
  package struct Program: Sendable {
    /// As in "todo/1.0".
    package var product: String
    /// An email address or a web page, for whoever runs a server.
    package var contact: String?
    /// The file that remembers what servers answered; `nil`: it is remembered as long as the process runs.
    package var cachePath: String?

    package init(product: String, contact: String? = nil, cachePath: String? = nil) {
      self.product = product
      self.contact = contact
      self.cachePath = cachePath
    }
  }
}
