import ToDoModel
import ToDoRules

/// The mapping between items and rows.
enum ItemRow {
  /// The columns that `decode` reads, in this order.
  static let columns = "id, " + names.joined(separator: ", ")

  /// The columns that `decodeChange` reads, in this order.
  static let changeColumns = "id, " + changingColumns

  /// The columns that an update writes.
  static let changingColumns = changingNames.joined(separator: ", ")
  /// The parameters that `bind` binds for `changingColumns`.
  static let changingParameters = changingNames.indices.map { "?\($0 + 3)" }.joined(separator: ", ")
  static let fingerprintParameter = Int32(changingNames.count + 3)
  static let placeParameter = fingerprintParameter + 1

  private static let names = [
    "title", "description", "due_time", "due_date", "place_name", "address", "latitude", "longitude", "source",
    "granularity", "created_at", "updated_at", "completed_at", "revision",
  ]
  private static let changingNames = names + ["cause"]
  /// The number of columns that `decode` reads.
  static let columnCount = Int32(names.count + 1)

  /// Binds an item to the parameters of `ItemSQL.insert` and `ItemSQL.update`.
  static func bind(
    _ item: ToDoItem, _ cause: PutCause, owner: Int64, fingerprint: ContentFingerprint,
    to statement: PreparedStatement
  ) {
    statement.bind(owner, at: 1)
    statement.bind(item.id, at: 2)
    statement.bind(item.title, at: 3)
    statement.bind(item.itemDescription, at: 4)
    switch item.due {
    case nil:
      statement.bind(nil as Int64?, at: 5)
      statement.bind(nil as Int64?, at: 6)
    case .time(let time):
      statement.bind(time.microseconds, at: 5)
      statement.bind(nil as Int64?, at: 6)
    case .date(let date):
      statement.bind(nil as Int64?, at: 5)
      statement.bind(Int64(date.daysSinceEpoch), at: 6)
    }
    statement.bind(item.location?.name, at: 7)
    statement.bind(item.location?.address, at: 8)
    statement.bind(item.location?.coordinate?.latitude, at: 9)
    statement.bind(item.location?.coordinate?.longitude, at: 10)
    statement.bind(item.location?.provenance?.source, at: 11)
    statement.bind(item.location?.provenance?.granularity.rawValue, at: 12)
    statement.bind(item.createdAt.microseconds, at: 13)
    statement.bind(item.updatedAt.microseconds, at: 14)
    statement.bind(item.completedAt?.microseconds, at: 15)
    statement.bind(item.revision.number, at: 16)
    statement.bind(cause.number, at: 17)
    statement.bind(fingerprint, at: fingerprintParameter)
    statement.bind(item.location?.coordinate.map { MortonCode($0).number }, at: placeParameter)
  }

  /// Decodes an item from a row's first columns.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if the store never writes one of the values.
  static func decode(_ row: PreparedStatement) throws(ToDoError) -> ToDoItem {
    guard let id = row.id(0) else { throw .storeUnavailable(detail: "a stored item has no valid identity") }
    do {
      return ToDoItem(
        id: id,
        content: ItemContent(
          title: row.text(1), itemDescription: row.optionalText(2), due: try due(row), location: try location(row)),
        createdAt: try time(row.number(11), "created_at"),
        updatedAt: try time(row.number(12), "updated_at"),
        completedAt: try row.optionalNumber(13).map { number throws(Invalid) in try time(number, "completed_at") },
        revision: Revision(row.number(14)))
    } catch {
      throw .storeUnavailable(detail: "the stored item \(id) has no valid \(error.column)")
    }
  }

  /// Decodes a change from a row: a current item, a past state of an item, or a deletion.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if the store never writes one of the values.
  static func decodeChange(_ row: PreparedStatement) throws(ToDoError) -> ItemChange {
    if let number = row.optionalNumber(columnCount) {
      let item = try decode(row)
      guard let cause = PutCause(number: number) else {
        throw .storeUnavailable(detail: "the stored item \(item.id) has no valid cause")
      }
      return .put(item, cause)
    }
    guard let id = row.id(0) else { throw .storeUnavailable(detail: "a stored deletion has no valid identity") }
    do {
      return .deleted(
        ItemDeletion(
          id: id, wasDone: row.optionalNumber(13) != nil, revision: Revision(row.number(14)),
          deletedAt: try time(row.number(12), "updated_at")))
    } catch {
      throw .storeUnavailable(detail: "the stored deletion of \(id) has no valid \(error.column)")
    }
  }

  private struct Invalid: Error {
    let column: String
  }

  private static func time(_ number: Int64, _ column: String) throws(Invalid) -> Timestamp {
    let time = Timestamp(microseconds: number)
    guard Timestamp.supportedRange.contains(time) else { throw Invalid(column: column) }
    return time
  }

  private static func due(_ row: PreparedStatement) throws(Invalid) -> DueDate? {
    if let number = row.optionalNumber(3) { return .time(try time(number, "due_time")) }
    guard let days = row.optionalNumber(4) else { return nil }
    guard (-719_162...2_932_896).contains(days) else { throw Invalid(column: "due_date") }
    return .date(CalendarDate(daysSinceEpoch: Int(days)))
  }

  private static func location(_ row: PreparedStatement) throws(Invalid) -> Location? {
    var location = Location(name: row.optionalText(5), address: row.optionalText(6))
    if let latitude = row.optionalDouble(7), let longitude = row.optionalDouble(8) {
      location.coordinate = Coordinate(latitude: latitude, longitude: longitude)
      if location.coordinate == nil { throw Invalid(column: "latitude or longitude") }
    }
    if let source = row.optionalText(9) {
      guard let granularity = row.optionalText(10).flatMap(Location.Granularity.init) else {
        throw Invalid(column: "granularity")
      }
      location.provenance = Location.Provenance(source: source, granularity: granularity)
    }
    return location.isEmpty ? nil : location
  }
}

extension PutCause {
  /// The number that represents the cause in a row.
  fileprivate var number: Int64 {
    switch self {
    case .added: 0
    case .edited: 1
    case .checked: 2
    case .unchecked: 3
    case .located: 4
    }
  }

  fileprivate init?(number: Int64) {
    guard let cause = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = cause
  }
}
