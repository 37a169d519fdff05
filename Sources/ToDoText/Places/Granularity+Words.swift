import ToDoModel

extension Location.Granularity {
  /// The precision of a coordinate in words.
  package var words: String {
    switch self {
    case .house: "exact address"
    case .street: "middle of the street"
    case .locality: "town center"
    case .region: "middle of the region"
    case .country: "middle of the country"
    }
  }
}
