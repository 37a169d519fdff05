/// Which undone items to list by their distance from a place, and how many at a time.
public struct NearbyQuery: Equatable, Sendable {
  public var center: Coordinate
  /// Only items at most so many metres away: more than 0, finite. `nil`: however far.
  public var radius: Double?
  /// How many items at most: 100 when `nil`, at least 1; more than 1,000 counts as 1,000. Fewer when there is much text.
  public var pageSize: Int?
  /// Where to go on: `NearbyPage.nextPageToken` of the page before, with all else the same. `nil`: the first page.
  public var pageToken: String?

  public init(center: Coordinate, radius: Double? = nil, pageSize: Int? = nil, pageToken: String? = nil) {
    self.center = center
    self.radius = radius
    self.pageSize = pageSize
    self.pageToken = pageToken
  }
}

/// An item and how far away it is.
public struct NearbyItem: Equatable, Sendable {
  public var item: ToDoItem
  /// In metres, along the great circle.
  public var distance: Double

  public init(item: ToDoItem, distance: Double) {
    self.item = item
    self.distance = distance
  }
}

/// One page of the items near a place.
public struct NearbyPage: Equatable, Sendable {
  /// The nearest first; items that are equally far follow one another by their identity.
  public var items: [NearbyItem]
  /// `nil` on the last page.
  public var nextPageToken: String?

  public init(items: [NearbyItem], nextPageToken: String? = nil) {
    self.items = items
    self.nextPageToken = nextPageToken
  }
}
