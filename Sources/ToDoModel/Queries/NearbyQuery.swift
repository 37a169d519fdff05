/// A query for one page of the incomplete items near a place, ordered by distance.
public struct NearbyQuery: Equatable, Sendable {
  /// The place from which distances are measured.
  public var center: Coordinate
  /// The maximum distance in meters, more than 0 and finite. `nil` means no limit.
  public var radius: Double?
  /// The maximum number of items, at least 1. `nil` means 100; more than 1,000 counts as 1,000. A page has fewer items
  /// if they have much text.
  public var pageSize: Int?
  /// The previous page's `nextPageToken`, or `nil` for the first page. The rest of the query must not change.
  public var pageToken: String?

  /// Creates a query.
  public init(center: Coordinate, radius: Double? = nil, pageSize: Int? = nil, pageToken: String? = nil) {
    self.center = center
    self.radius = radius
    self.pageSize = pageSize
    self.pageToken = pageToken
  }
}

/// An item and its distance from a place.
public struct NearbyItem: Equatable, Sendable {
  /// The item.
  public var item: ToDoItem
  /// The great-circle distance in meters.
  public var distance: Double

  /// Creates an item with its distance.
  public init(item: ToDoItem, distance: Double) {
    self.item = item
    self.distance = distance
  }
}

/// One page of the items near a place.
public struct NearbyPage: Equatable, Sendable {
  /// The items, the nearest first. Ties are ordered by item ID.
  public var items: [NearbyItem]
  /// A token for the next page, or `nil` on the last page.
  public var nextPageToken: String?

  /// Creates a page.
  public init(items: [NearbyItem], nextPageToken: String? = nil) {
    self.items = items
    self.nextPageToken = nextPageToken
  }
}
