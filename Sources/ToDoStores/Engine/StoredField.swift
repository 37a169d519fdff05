package import ToDoModel

/// The validation of stored items' fields, which is the same in every store.
package enum StoredField {
  /// The numbers of the days from 0001-01-01 to 9999-12-31.
  static let days = -719_162...2_932_896 as ClosedRange<Int64>

  /// A field whose stored value no store writes.
  package struct Invalid: Error {
    /// The field name.
    package let name: String

    package init(_ name: String) {
      self.name = name
    }
  }

  /// Decodes a time.
  package static func time(_ microseconds: Int64, _ name: String) throws(Invalid) -> Timestamp {
    let time = Timestamp(microseconds: microseconds)
    guard Timestamp.supportedRange.contains(time) else { throw Invalid(name) }
    return time
  }

  /// Decodes a due date without a time.
  package static func date(_ day: Int64, _ name: String) throws(Invalid) -> DueDate {
    guard days.contains(day) else { throw Invalid(name) }
    return .date(CalendarDate(daysSinceEpoch: Int(day)))
  }

  /// Decodes a coordinate.
  package static func coordinate(latitude: Double, longitude: Double) throws(Invalid) -> Coordinate {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw Invalid("latitude or longitude")
    }
    return coordinate
  }
}

extension ToDoError {
  /// A field of a stored item is invalid.
  package static func invalidItem(_ id: ItemID, _ field: StoredField.Invalid) -> ToDoError {
    .storeUnavailable(detail: "the stored item \(id) has no valid \(field.name)")
  }
}
