/// An edit of any subset of an item's fields. The other fields keep their values.
public struct ItemEdit: Equatable, Sendable {
  /// The new title, or `nil` to leave the title unchanged.
  public var title: String?
  /// The edit of the description.
  public var itemDescription: FieldEdit<String> = .keep
  /// The edit of the due date.
  public var due: FieldEdit<DueDate> = .keep
  /// The edit of the location.
  public var location: LocationEdit = .keep
  /// All tags after the edit, or `nil` to leave the tags unchanged.
  public var tags: [String]?
  /// The edit of the priority.
  public var priority: FieldEdit<Priority> = .keep
  /// All steps after the edit, or `nil` to leave the steps unchanged.
  public var steps: [Step]?
  /// The edit of the time until which the item waits.
  public var waitUntil: FieldEdit<Timestamp> = .keep
  /// The edit of the repetition.
  public var repetition: FieldEdit<Repetition> = .keep
  /// All reminders after the edit, or `nil` to leave the reminders unchanged.
  public var reminders: [Reminder]?

  /// Creates an edit that changes nothing.
  public init() {}

  /// Whether the edit names no field.
  public var isEmpty: Bool {
    (location == .keep || location == .edit()) && !ItemField.all.contains { $0.editing?.isEdited(self) == true }
  }
}

/// An edit of one optional field: leave it unchanged, clear it or set it.
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

/// An edit of an item's location, either as a whole or part by part. The enum is complete: a location is kept, removed, replaced, or
/// kept in part.
public enum LocationEdit: Equatable, Sendable {
  case keep
  case clear
  case set(Location)
  /// Edits the current location's parts, or those of an empty one. A location that is left without parts is cleared.
  ///
  /// `provenance` belongs to a coordinate that the edit sets: that of the candidate that the caller has confirmed for the
  /// address, or `nil` if the coordinate is the user's own.
  case edit(
    name: FieldEdit<String> = .keep, address: FieldEdit<String> = .keep, coordinate: FieldEdit<Coordinate> = .keep,
    provenance: Location.Provenance? = nil)
}

extension ItemContent {
  /// Returns the content with an edit applied.
  package func applying(_ edit: ItemEdit) -> ItemContent {
    var content = self
    for field in ItemField.all { field.editing?.apply(edit, &content) }
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
    case .edit(let name, let address, let coordinate, let provenance):
      var location = Location(
        name: self?.name, address: self?.address, coordinate: self?.givenCoordinate)
      name.apply(to: &location.name)
      address.apply(to: &location.address)
      coordinate.apply(to: &location.coordinate)
      if case .set = coordinate { location.provenance = provenance }
      // Clearing the coordinate also clears a coordinate that a geocoder found.
      if coordinate == .keep { location = location.keepingFoundCoordinate(of: self) }
      return location.isEmpty ? nil : location
    }
  }
}

extension Location {
  /// Returns the location with the geocoded coordinate of the old one if both have the same address and the location
  /// has no coordinate.
  fileprivate func keepingFoundCoordinate(of old: Location?) -> Location {
    guard let old, old.provenance != nil, coordinate == nil, address == old.address else { return self }
    var location = self
    location.coordinate = old.coordinate
    location.provenance = old.provenance
    return location
  }
}
