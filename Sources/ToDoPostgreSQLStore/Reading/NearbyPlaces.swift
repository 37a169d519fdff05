#if PostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

/// The nearest items of a search, whose candidates are added in the order of their approximate distances.
struct NearbyPlaces {
  private let selection: NearbySelection
  private let radius: Double
  /// The nearest items so far. Items that are certainly on no page are removed from time to time.
  private var items: [NearbyItem] = []
  /// The maximum distance of the first items, one more than the limit.
  private var farthest = 0.0

  /// - Parameter radius: the maximum distance of the search, in metres.
  init(_ selection: NearbySelection, radius: Double) {
    self.selection = selection
    self.radius = radius
  }

  /// Whether there are more items than the limit.
  var hasMore: Bool { items.count > selection.limit }

  /// The number of items that are missing to one more than the limit.
  var missing: Int { hasMore ? 0 : selection.limit - items.count + (selection.limit == .max ? 0 : 1) }

  /// Whether no candidate from an approximate distance on can be among the nearest items.
  func isComplete(before distance: Double) -> Bool { hasMore && distance > farthest + MortonCode.precision }

  /// Adds the items of candidates.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if an item has no coordinate.
  mutating func add(_ candidates: [ToDoItem]) throws(ToDoError) {
    for item in candidates {
      guard let coordinate = item.location?.coordinate else {
        throw .storeUnavailable(detail: "the stored item \(item.id) has no valid place")
      }
      let nearby = NearbyItem(item: item, distance: selection.center.distance(to: coordinate))
      guard nearby.distance <= radius, selection.includes(nearby.position) else { continue }
      if !hasMore { farthest = max(farthest, nearby.distance) }
      items.append(nearby)
    }
    // Many items may be at one place.
    if hasMore, items.count / 2 > selection.limit { items = Array(sorted.prefix(selection.limit + 1)) }
  }

  /// The listing of the items.
  var listing: NearbyListing {
    NearbyListing(items: Array(sorted.prefix(selection.limit)), hasMore: hasMore)
  }

  private var sorted: [NearbyItem] { items.sorted { $0.position < $1.position } }
}
#endif
