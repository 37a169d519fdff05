import TTRPC
import ToDoModel

/// Finds the place that a person means: a coordinate, an item of the list, or a name.
struct PlaceFinder {
  struct Place: Equatable {
    var name: String
    var coordinate: Coordinate
    /// Whom to credit for knowing it.
    var attribution = ""
  }

  private let service: any ToDoService
  private var resolver: ItemResolver

  init(_ service: any ToDoService) {
    self.service = service
    resolver = ItemResolver(service)
  }

  /// - Throws: `Failure` with the status `notFound` when there is no such place, or the item has none; and what the
  ///   service throws.
  mutating func place(_ text: String) async throws -> Place {
    if let coordinate = try? Coordinate(argument: text) { return Place(name: coordinate.text, coordinate: coordinate) }
    if let item = try await item(text) {
      guard let coordinate = item.location?.coordinate else {
        throw Failure(
          code: .notFound, reason: "NO_COORDINATE",
          message: "it is not known where '\(item.title.escapingControls())' is to be done")
      }
      return Place(name: item.location?.label ?? item.title, coordinate: coordinate)
    }
    let result = try await service.geocode(GeocodeQuery(address: text, limit: 1))
    guard let candidate = result.candidates.first else {
      throw Failure(
        code: .notFound, reason: "ADDRESS_NOT_FOUND", message: "no place matches '\(text.escapingControls())'")
    }
    return Place(name: candidate.displayName, coordinate: candidate.coordinate, attribution: result.attribution)
  }

  /// The prefixes that name the items of the list.
  mutating func prefixes() async throws -> ShortestPrefixes { try await resolver.prefixes() }

  /// The item whose id begins like this; `nil` when it is no id, or none of an item.
  private mutating func item(_ text: String) async throws -> ToDoItem? {
    // A shorter one is rather a name, such as "Ede".
    guard IDPrefix(text) != nil, text.count >= 4 else { return nil }
    do { return try await resolver.item(text) } catch let failure as Failure where failure.code == .notFound {
      return nil
    } catch ToDoError.itemNotFound {
      return nil
    }
  }
}
