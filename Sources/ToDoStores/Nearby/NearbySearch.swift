package import ToDoModel
package import ToDoRules

/// The rows that a `NearbySearch` reads: those of one list's incomplete items that have a coordinate.
package protocol NearbySource {
  /// The minimum number of items that one call to `items` should read.
  var chunkSize: Int { get }

  /// Returns the codes before and after the code of a center, at most `count` on each side, the nearest of them.
  func codes(around center: MortonCode, count: Int) throws -> [MortonCode]

  /// Calls `body` with the items whose codes are in the ranges.
  func forEachPlace(in ranges: [ClosedRange<Int64>], _ body: (MortonCode, NearbyKey) -> Void) throws

  /// Returns the items of keys, in any order. A damaged item is a failure, which is thrown only where the item would be listed.
  func items(_ keys: [NearbyKey]) throws -> [FoundItem]
}

/// An item that a `NearbySource` has read, or the error of a damaged one.
package typealias FoundItem = (key: NearbyKey, item: Result<ToDoItem, ToDoError>)

/// An item's key in a `NearbySource`: its ID, or the number of its row.
package struct NearbyKey: Hashable, Sendable {
  package let high, low: UInt64

  /// Creates a key from the halves of an ID, or from a number as `low`.
  package init(high: UInt64 = 0, low: UInt64) {
    self.high = high
    self.low = low
  }
}

/// A search in growing circles around a center, until the page is full.
package struct NearbySearch {
  private let selection: NearbySelection

  /// Creates a search.
  package init(_ selection: NearbySelection) {
    self.selection = selection
  }

  /// The factor between two radii: large enough to reach around the Earth soon, small enough not to read many more
  /// items than needed.
  private static let growth = 2.5
  /// The maximum number of code ranges for a circle. Each range costs an index search; fewer ranges include more
  /// items outside the circle.
  private static let rangeCount = 8
  /// The number of items before and after the center's code from which the density is estimated.
  private static let sampleCount = 32
  /// The maximum number of items that are read at once.
  private static let maximumChunk = 256

  /// The number of codes that the sample must contain on either side of the center.
  package var sampleCount: Int { min(selection.limit, Self.sampleCount - 1) + 1 }

  /// Returns the nearest items.
  ///
  /// - Throws: `CancellationError` if the task is canceled during the search, the errors of the source.
  package func listing(from source: any NearbySource) throws -> NearbyListing {
    // A client chooses the position. If it is not a number, the comparison selects the selection's radius.
    let first = try firstRadius(source)
    var radius = first < selection.radius ? first : selection.radius
    while true {
      let candidates = try candidates(within: radius, source)
      let isLast = radius >= selection.radius
      if isLast || candidates.count > selection.limit {
        let places = try places(of: candidates, within: radius, source)
        if isLast || places.hasMore { return try places.listing }
      }
      radius = min(radius * Self.growth, selection.radius)
    }
  }

  /// Returns a radius in meters that probably contains one item more than the limit.
  ///
  /// It certainly does if the selection has no position to start after and a limit below `sampleCount`.
  private func firstRadius(_ source: any NearbySource) throws -> Double {
    let (center, count) = (selection.center, sampleCount)
    let codes = try source.codes(around: MortonCode(center), count: count)
    // The sample contains all items.
    guard codes.count >= count else { return selection.radius }
    let distances = codes.map { center.distance(to: $0.center) }
    let radius = distances.sorted()[count - 1] + MortonCode.precision
    // A circle or a ring whose area grows in proportion to the number of items.
    let growth = ((Double(selection.limit) + 1) / Double(count)).squareRoot()
    let (inner, width) = (selection.after?.distance ?? 0, radius * growth)
    return (inner * inner + width * width).squareRoot()
  }

  /// The approximate distance of an item, computed from its code, and its key.
  private typealias Candidate = (distance: Double, key: NearbyKey)

  /// Returns all items that may be within a radius and after the selection's position.
  private func candidates(
    within radius: Double, _ source: any NearbySource
  ) throws -> [Candidate] {
    try Task.checkCancellation()
    let center = selection.center
    let (least, most) = ((selection.after?.distance ?? 0) - MortonCode.precision, radius + MortonCode.precision)
    let boxes = CoordinateBox.boxes(around: center, radius: radius)
    var found: [Candidate] = []
    try source.forEachPlace(in: MortonCode.ranges(covering: boxes, atMost: Self.rangeCount)) { code, key in
      let distance = center.distance(to: code.center)
      if distance >= least, distance <= most { found.append((distance, key)) }
    }
    return found
  }

  /// Returns the nearest candidates: at least one more than the limit, if there are as many.
  private func places(
    of candidates: [Candidate], within radius: Double, _ source: any NearbySource
  ) throws -> NearbyPlaces {
    var places = NearbyPlaces(selection, radius: radius)
    var rest = candidates.sorted { $0.distance < $1.distance }[...]
    while let next = rest.first, !places.isComplete(before: next.distance) {
      try Task.checkCancellation()
      let count = min(max(places.missing, source.chunkSize), Self.maximumChunk)
      let chunk = rest.prefix(count)
      for found in try source.items(chunk.map(\.key)) {
        places.add(found, approximateDistance: chunk.first { $0.key == found.key }?.distance)
      }
      places.trim()
      rest = rest.dropFirst(count)
    }
    return places
  }
}

/// The nearest items of a search, whose candidates are added in the order of their approximate distances.
private struct NearbyPlaces {
  private let selection: NearbySelection
  private let radius: Double
  /// The nearest items so far. Items that are certainly on no page are removed from time to time.
  private var items: [Place] = []
  /// The maximum distance of the first items, one more than the limit.
  private var farthest = 0.0

  /// - Parameter radius: the maximum distance of the search, in meters.
  init(_ selection: NearbySelection, radius: Double) {
    self.selection = selection
    self.radius = radius
  }

  /// Whether there are more items than the limit.
  var hasMore: Bool { items.count > selection.limit }

  /// The number of items missing until there is one more than the limit.
  var missing: Int { hasMore ? 0 : selection.limit - items.count + (selection.limit == .max ? 0 : 1) }

  /// Whether no candidate from an approximate distance on can be among the nearest items.
  func isComplete(before distance: Double) -> Bool { hasMore && distance > farthest + MortonCode.precision }

  /// Adds the item of a candidate.
  ///
  /// - Parameter distance: the distance of the candidate's code, which is the only known one for a damaged item.
  mutating func add(_ found: FoundItem, approximateDistance distance: @autoclosure () -> Double?) {
    let place: Place
    switch found.item {
    case .success(let item):
      if let coordinate = item.location?.coordinate {
        let nearby = NearbyItem(item: item, distance: selection.center.distance(to: coordinate))
        place = Place(position: nearby.position, item: .success(nearby))
      } else {
        let error = ToDoError.storeUnavailable(detail: "the stored item \(item.id) has no valid place")
        place = Place(error, at: distance(), found.key)
      }
    case .failure(let error): place = Place(error, at: distance(), found.key)
    }
    guard place.position.distance <= radius, selection.includes(place.position) else { return }
    if !hasMore { farthest = max(farthest, place.position.distance) }
    items.append(place)
  }

  /// Removes items that are on no page, because many may be at one place.
  mutating func trim() {
    if hasMore, items.count / 2 > selection.limit { items = Array(sorted.prefix(selection.limit + 1)) }
  }

  /// The listing of the items.
  ///
  /// - Throws: the error of a damaged item that would be listed.
  var listing: NearbyListing {
    get throws(ToDoError) {
      var listing = NearbyListing(items: [], hasMore: hasMore)
      for place in sorted.prefix(selection.limit) { listing.items.append(try place.item.get()) }
      return listing
    }
  }

  private var sorted: [Place] { items.sorted { $0.position < $1.position } }

  /// An item and its position, or the error of a damaged item and about its position.
  private struct Place {
    let position: NearbyPosition
    let item: Result<NearbyItem, ToDoError>

    init(position: NearbyPosition, item: Result<NearbyItem, ToDoError>) {
      self.position = position
      self.item = item
    }

    init(_ error: ToDoError, at distance: Double?, _ key: NearbyKey) {
      self.init(
        position: NearbyPosition(distance: distance ?? 0, id: ItemID(high: key.high, low: key.low)),
        item: .failure(error))
    }
  }
}
