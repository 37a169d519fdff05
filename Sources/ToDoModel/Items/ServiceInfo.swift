/// A description of a service.
public struct ServiceInfo: Equatable, Sendable {
  /// The version of the program that provides the service, for example "0.1.0".
  public var version: String
  /// The optional operations that the service supports.
  public var capabilities: Set<Capability>
  /// The attribution that the source of the geocoder's data requires. It is empty if the service has no geocoder.
  public var geocoderAttribution: String
  /// The time of the service's clock.
  public var time: Timestamp

  /// Creates a description.
  public init(
    version: String = ServiceInfo.currentVersion, capabilities: Set<Capability> = [], geocoderAttribution: String = "",
    time: Timestamp
  ) {
    self.version = version
    self.capabilities = capabilities
    self.geocoderAttribution = geocoderAttribution
    self.time = time
  }

  /// An optional feature of a service, with its name in the schema.
  public struct Capability: Hashable, Sendable {
    /// The name in the schema.
    public let name: String

    /// Creates a capability.
    public init(_ name: String) {
      self.name = name
    }

    /// The service shows items in calendar programs.
    public static let calendarFeeds = Capability("calendar_feeds")
    /// The service filters items by texts, and by alternatives of filters.
    public static let combineFilters = Capability("combine_filters")
    /// The service filters items by exclusions.
    public static let excludeFilters = Capability("exclude_filters")
    /// The service geocodes addresses.
    public static let geocodeAddress = Capability("geocode_address")
    /// The service lists changes.
    public static let listChanges = Capability("list_changes")
    /// The service lists items near a place.
    public static let listNearbyItems = Capability("list_nearby_items")
    /// The service lets users share lists.
    public static let listSharing = Capability("list_sharing")
    /// The service has several lists for each user.
    public static let lists = Capability("lists")
    /// The service says which candidates of a geocoded address are guesses.
    public static let markGuesses = Capability("mark_guesses")
    /// The service moves items between a user's lists.
    public static let moveItems = Capability("move_items")
    /// The service sends reminders to the targets that users choose.
    public static let notifications = Capability("notifications")
    /// The service reads sentences about items.
    public static let parseQuickAdd = Capability("parse_quick_add")
    /// The service takes reports of users' positions.
    public static let positions = Capability("positions")
    /// The service streams due reminders, with a state for each user of a shared list.
    public static let reminders = Capability("reminder_service")
    /// The service renames tags.
    public static let renameTags = Capability("rename_tags")
    /// The service restores deleted items, and lists and reverts revisions.
    public static let revertChanges = Capability("revert_changes")
    /// The service makes links that sign a browser in.
    public static let signInLinks = Capability("sign_in_links")
    /// The service supports filters in watches.
    public static let watchFilters = Capability("watch_filters")
    /// The service supports watches.
    public static let watchItems = Capability("watch_items")
    /// The service watches the items of several lists at once.
    public static let watchLists = Capability("watch_lists")
  }

  /// The version of this source tree.
  public static let currentVersion = "0.1.0"
}
