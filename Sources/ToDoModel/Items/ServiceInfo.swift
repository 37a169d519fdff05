/// What a service says about itself.
public struct ServiceInfo: Equatable, Sendable {
  /// The version of the program that serves, for example "0.1.0".
  public var version: String
  /// What it offers beyond the basic operations.
  public var capabilities: Set<Capability>
  /// What the source of the geocoder's data demands to be shown; empty when no geocoder is in use.
  public var geocoderAttribution: String
  /// What the service's clock showed.
  public var time: Timestamp

  public init(
    version: String = ServiceInfo.currentVersion, capabilities: Set<Capability> = [], geocoderAttribution: String = "",
    time: Timestamp
  ) {
    self.version = version
    self.capabilities = capabilities
    self.geocoderAttribution = geocoderAttribution
    self.time = time
  }

  /// Something that not every service can do; the name is that of the schema.
  public struct Capability: Hashable, Sendable {
    public let name: String

    public init(_ name: String) {
      self.name = name
    }

    public static let geocodeAddress = Capability("geocode_address")
    public static let listChanges = Capability("list_changes")
    public static let listNearbyItems = Capability("list_nearby_items")
    public static let watchItems = Capability("watch_items")
  }

  /// The version of this source tree.
  public static let currentVersion = "0.1.0"
}
