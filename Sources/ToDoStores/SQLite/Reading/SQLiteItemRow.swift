import ToDoModel
import ToDoRules
import ToDoSQLite

/// The mapping between items and rows.
enum SQLiteItemRow {
  /// The columns that `decode` and `decodeChange` read, in this order.
  static let columns = Column.allCases.map(\.name).joined(separator: ", ")
  /// The number of `columns`.
  static let columnCount = Int32(Column.allCases.count)

  /// The columns that `decodeDeleted` reads.
  static let deletedColumns = "\(columns), deleted_at, expires_at"

  /// The columns that an update writes.
  static let changingColumns = changingNames.joined(separator: ", ")
  /// The parameters that `bind` binds for `changingColumns`.
  static let changingParameters = changingNames.indices.map { "?\($0 + 3)" }.joined(separator: ", ")
  /// The parameters after those of `changingColumns`.
  static let fingerprintParameter = columnCount + 2
  static let placeParameter = fingerprintParameter + 1
  /// The number of the first parameter for an origin.
  static let originParameter = placeParameter + 1
  /// The number of columns, and of parameters, of an origin.
  static let originCount: Int32 = 4

  /// All but the first and the last column.
  private static let changingNames = Column.allCases.dropFirst().dropLast().map(\.name)

  /// Binds an item to the parameters of `ItemSQL.insert` and `ItemSQL.update`.
  static func bind(
    _ item: ToDoItem, _ cause: PutCause, owner: Int64, fingerprint: ContentFingerprint, _ origin: ChangeOrigin,
    to statement: Statement
  ) {
    statement.bind(owner, at: 1)
    statement.bind(item.id, at: .id)
    statement.bind(item.title, at: .title)
    statement.bind(item.itemDescription, at: .description)
    switch item.due {
    case nil:
      statement.bind(nil as Int64?, at: .dueTime)
      statement.bind(nil as Int64?, at: .dueDate)
    case .time(let time):
      statement.bind(time.microseconds, at: .dueTime)
      statement.bind(nil as Int64?, at: .dueDate)
    case .date(let date):
      statement.bind(nil as Int64?, at: .dueTime)
      statement.bind(Int64(date.daysSinceEpoch), at: .dueDate)
    }
    statement.bind(item.location?.name, at: .placeName)
    statement.bind(item.location?.address, at: .address)
    statement.bind(item.location?.coordinate?.latitude, at: .latitude)
    statement.bind(item.location?.coordinate?.longitude, at: .longitude)
    statement.bind(item.location?.provenance?.source, at: .source)
    statement.bind(item.location?.provenance?.granularity.rawValue, at: .granularity)
    statement.bind(Tag.joined(item.tags), at: .tags)
    statement.bind(item.priority.map { Int64($0.level) }, at: .priority)
    statement.bind(item.content.hasLines ? EncodedMarks.encode(item.steps, item.reminders) : nil, at: .steps)
    statement.bind(item.waitUntil?.microseconds, at: .waitTime)
    statement.bind(item.repetition.map { EncodedMarks.encode($0) }, at: .repetition)
    statement.bind(item.createdAt.microseconds, at: .createdAt)
    statement.bind(item.updatedAt.microseconds, at: .updatedAt)
    statement.bind(item.completedAt?.microseconds, at: .completedAt)
    statement.bind(item.revision.number, at: .revision)
    statement.bind(cause.number, at: .cause)
    statement.bind(item.number.value, at: .number)
    statement.bind(fingerprint, at: fingerprintParameter)
    statement.bind(item.location?.coordinate.map { MortonCode($0).number }, at: placeParameter)
    statement.bind(origin, at: originParameter)
  }

  /// Decodes a deleted item from a row's first columns.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if the store never writes one of the values.
  static func decodeDeleted(_ row: Statement) throws(ToDoError) -> ToDoItem {
    var item = try decode(row)
    item.deletion = ToDoItem.Deletion(
      deletedAt: Timestamp(microseconds: row.number(columnCount)),
      expiresAt: Timestamp(microseconds: row.number(columnCount + 1)))
    return item
  }

  /// Decodes an item from a row's first columns.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if the store never writes one of the values.
  static func decode(_ row: Statement) throws(ToDoError) -> ToDoItem {
    guard let id = row.id(.id) else { throw .storeUnavailable(detail: "a stored item has no valid identity") }
    do {
      let lines = try row.blob(.steps).map(EncodedMarks.lines) ?? EncodedMarks.Lines()
      return ToDoItem(
        id: id, number: ItemNumber(row.number(.number)),
        content: ItemContent(
          title: row.text(.title), itemDescription: row.optionalText(.description), due: try due(row),
          location: try location(row), tags: Tag.split(row.optionalText(.tags)), priority: try priority(row),
          steps: lines.steps, waitUntil: try waitTime(row),
          repetition: try row.blob(.repetition).map(EncodedMarks.repetition), reminders: lines.reminders),
        createdAt: try time(row.number(.createdAt), .createdAt),
        updatedAt: try time(row.number(.updatedAt), .updatedAt),
        completedAt: try row.optionalNumber(.completedAt).map { number throws(StoredField.Invalid) in
          try time(number, .completedAt)
        },
        revision: Revision(row.number(.revision)))
    } catch {
      throw .invalidItem(id, error)
    }
  }

  /// Decodes a change from a row: a current item, a past state of an item, or a deletion.
  ///
  /// - Throws: `ToDoError.storeUnavailable` if the store never writes one of the values.
  static func decodeChange(_ row: Statement) throws(ToDoError) -> ItemChange {
    if let number = row.optionalNumber(.cause) {
      let item = try decode(row)
      guard let cause = PutCause(number: number) else {
        throw .storeUnavailable(detail: "the stored item \(item.id) has no valid cause")
      }
      return .put(item, cause)
    }
    guard let id = row.id(.id) else { throw .storeUnavailable(detail: "a stored deletion has no valid identity") }
    do {
      return .deleted(
        ItemDeletion(
          id: id, wasDone: row.optionalNumber(.completedAt) != nil, revision: Revision(row.number(.revision)),
          deletedAt: try time(row.number(.updatedAt), .updatedAt)))
    } catch {
      throw .storeUnavailable(detail: "the stored deletion of \(id) has no valid \(error.name)")
    }
  }

  private static func time(_ number: Int64, _ column: Column) throws(StoredField.Invalid) -> Timestamp {
    try StoredField.time(number, column.name)
  }

  private static func due(_ row: Statement) throws(StoredField.Invalid) -> DueDate? {
    if let number = row.optionalNumber(.dueTime) { return .time(try time(number, .dueTime)) }
    guard let days = row.optionalNumber(.dueDate) else { return nil }
    return try StoredField.date(days, Column.dueDate.name)
  }

  private static func priority(_ row: Statement) throws(StoredField.Invalid) -> Priority? {
    guard let level = row.optionalNumber(.priority) else { return nil }
    guard let priority = Priority(level: Int(truncatingIfNeeded: level)) else {
      throw StoredField.Invalid(Column.priority.name)
    }
    return priority
  }

  private static func waitTime(_ row: Statement) throws(StoredField.Invalid) -> Timestamp? {
    guard let number = row.optionalNumber(.waitTime) else { return nil }
    return try time(number, .waitTime)
  }

  private static func location(_ row: Statement) throws(StoredField.Invalid) -> Location? {
    var location = Location(name: row.optionalText(.placeName), address: row.optionalText(.address))
    if let latitude = row.optionalDouble(.latitude), let longitude = row.optionalDouble(.longitude) {
      location.coordinate = try StoredField.coordinate(latitude: latitude, longitude: longitude)
    }
    if let source = row.optionalText(.source) {
      guard let granularity = row.optionalText(.granularity).flatMap(Location.Granularity.init) else {
        throw StoredField.Invalid(Column.granularity.name)
      }
      location.provenance = Location.Provenance(source: source, granularity: granularity)
    }
    return location.isEmpty ? nil : location
  }
}

extension SQLiteItemRow {
  /// The columns of an item or a change, in the order in which every statement selects them.
  enum Column: Int32, CaseIterable {
    case id, title, description, dueTime, dueDate, placeName, address, latitude, longitude, source, granularity
    case tags, priority, steps, waitTime, repetition
    case createdAt, updatedAt, completedAt, revision, cause, number

    /// The name in the schema.
    var name: String {
      switch self {
      case .id: "id"
      case .title: "title"
      case .description: "description"
      case .dueTime: "due_time"
      case .dueDate: "due_date"
      case .placeName: "place_name"
      case .address: "address"
      case .latitude: "latitude"
      case .longitude: "longitude"
      case .source: "source"
      case .granularity: "granularity"
      case .tags: "tags"
      case .priority: "priority"
      case .steps: "steps"
      case .waitTime: "wait_time"
      case .repetition: "repetition"
      case .createdAt: "created_at"
      case .updatedAt: "updated_at"
      case .completedAt: "completed_at"
      case .revision: "revision"
      case .cause: "cause"
      case .number: "item_number"
      }
    }

    /// The number of the parameter in `ItemSQL.insert` and `ItemSQL.update`. Parameter 1 is the owner.
    var parameter: Int32 { rawValue + 2 }
  }
}

extension Statement {
  /// Binds an origin to `SQLiteItemRow.originCount` parameters.
  func bind(_ origin: ChangeOrigin, at first: Int32) {
    bind(origin.user.isEmpty ? nil : origin.user, at: first)
    bind(origin.client.isEmpty ? nil : origin.client, at: first + 1)
    bind(origin.reverted?.number, at: first + 2)
    bind(origin.moved?.storedText, at: first + 3)
  }

  /// Decodes an origin from `SQLiteItemRow.originCount` columns.
  func origin(_ first: Int32) -> ChangeOrigin {
    ChangeOrigin(
      user: optionalText(first) ?? "", client: optionalText(first + 1) ?? "",
      reverted: optionalNumber(first + 2).map { Revision($0) },
      moved: optionalText(first + 3).flatMap { ListMove(storedText: $0) })
  }

  fileprivate func bind(_ number: Int64?, at column: SQLiteItemRow.Column) { bind(number, at: column.parameter) }

  fileprivate func bind(_ number: Double?, at column: SQLiteItemRow.Column) { bind(number, at: column.parameter) }

  fileprivate func bind(_ text: String?, at column: SQLiteItemRow.Column) { bind(text, at: column.parameter) }

  fileprivate func bind(_ bytes: [UInt8]?, at column: SQLiteItemRow.Column) {
    if let bytes { bytes.bind(to: self, at: column.parameter) } else { bind(nil as Int64?, at: column.parameter) }
  }

  fileprivate func bind(_ id: ItemID, at column: SQLiteItemRow.Column) { bind(id, at: column.parameter) }

  fileprivate func id(_ column: SQLiteItemRow.Column) -> ItemID? { id(column.rawValue) }

  fileprivate func blob(_ column: SQLiteItemRow.Column) -> UnsafeRawBufferPointer? { blob(column.rawValue) }

  fileprivate func text(_ column: SQLiteItemRow.Column) -> String { text(column.rawValue) }

  fileprivate func optionalText(_ column: SQLiteItemRow.Column) -> String? { optionalText(column.rawValue) }

  fileprivate func number(_ column: SQLiteItemRow.Column) -> Int64 { number(column.rawValue) }

  fileprivate func optionalNumber(_ column: SQLiteItemRow.Column) -> Int64? { optionalNumber(column.rawValue) }

  fileprivate func optionalDouble(_ column: SQLiteItemRow.Column) -> Double? { optionalDouble(column.rawValue) }
}
