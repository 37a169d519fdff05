/// What a service says about itself.
public struct ServiceInfo: Equatable, Sendable {
  /// The version of the program that serves, for example "0.1.0".
  public var version: String
  /// What the source of the geocoder's data demands to be shown; empty when no geocoder is in use.
  public var geocoderAttribution: String
  /// What the service's clock showed.
  public var time: Timestamp

  public init(version: String = ServiceInfo.currentVersion, geocoderAttribution: String = "", time: Timestamp) {
    self.version = version
    self.geocoderAttribution = geocoderAttribution
    self.time = time
  }

  /// The version of this source tree.
  public static let currentVersion = "0.1.0"
}
