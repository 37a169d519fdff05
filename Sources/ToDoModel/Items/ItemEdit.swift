/// A change of any subset of an item's fields; fields that are not named keep their value.
public struct ItemEdit: Equatable, Sendable {
  public var title: String?
  public var itemDescription: FieldEdit<String> = .keep
  public var due: FieldEdit<DueDate> = .keep
  public var location: LocationEdit = .keep

  public init() {}

  /// Whether it names no field.
  public var isEmpty: Bool {
    title == nil && itemDescription == .keep && due == .keep && (location == .keep || location == .edit())
  }
}

/// What to do with one optional field.
public enum FieldEdit<Value: Equatable & Sendable>: Equatable, Sendable {
  case keep
  case clear
  case set(Value)

  func apply(to value: inout Value?) {
    switch self {
    case .keep: break
    case .clear: value = nil
    case .set(let new): value = new
    }
  }
}

/// What to do with an item's location: as a whole, or part by part.
public enum LocationEdit: Equatable, Sendable {
  case keep
  case clear
  case set(Location)
  /// Edits the parts of the location that is there, or of a new one; a location without parts is cleared.
  case edit(
    name: FieldEdit<String> = .keep, address: FieldEdit<String> = .keep, coordinate: FieldEdit<Coordinate> = .keep)
}

extension ItemContent {
  /// The content after `edit`.
  package func applying(_ edit: ItemEdit) -> ItemContent {
    var content = self
    if let title = edit.title { content.title = title }
    edit.itemDescription.apply(to: &content.itemDescription)
    edit.due.apply(to: &content.due)
    content.location = content.location.applying(edit.location)
    return content
  }
}

extension Location? {
  fileprivate func applying(_ edit: LocationEdit) -> Location? {
    switch edit {
    case .keep: return self
    case .clear: return nil
    case .set(let location): return location.keepingFoundCoordinate(of: self)
    case .edit(let name, let address, let coordinate):
      var location = Location(
        name: self?.name, address: self?.address, coordinate: self?.givenCoordinate)
      name.apply(to: &location.name)
      address.apply(to: &location.address)
      coordinate.apply(to: &location.coordinate)
      // Whoever clears the coordinate does not want the one that was found.
      if coordinate == .keep { location = location.keepingFoundCoordinate(of: self) }
      return location.isEmpty ? nil : location
    }
  }
}

extension Location {
  /// The location with the coordinate that was found for the same address, unless it has one.
  fileprivate func keepingFoundCoordinate(of old: Location?) -> Location {
    guard let old, old.provenance != nil, coordinate == nil, address == old.address else { return self }
    var location = self
    location.coordinate = old.coordinate
    location.provenance = old.provenance
    return location
  }
}
