// The JSON form of items, which `todo --json` prints too. Keys may be added in later versions. Instants are RFC 3339 texts,
// days ISO 8601 texts, and IDs UUIDs in lower case. Unset fields are null when they are encoded, and may be missing when they
// are decoded. Unknown keys are ignored.

/// The keys are `id`, `number`, those of the content, `done`, `createTime`, `updateTime`, `completeTime` and `revision`. A
/// deleted item also has `deleteTime` and `expireTime`. The revision's incarnation is not encoded.
extension ToDoItem: Codable {
  private enum CodingKeys: CodingKey {
    case id, number, done, createTime, updateTime, completeTime, revision, deleteTime, expireTime
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try container.parse(ItemID.self, .id), number: ItemNumber(try container.decode(Int64.self, forKey: .number)),
      content: try ItemContent(from: decoder), createdAt: try container.parse(Timestamp.self, .createTime),
      updatedAt: try container.parse(Timestamp.self, .updateTime),
      completedAt: try container.parseIfPresent(Timestamp.self, .completeTime),
      revision: Revision(try container.decode(Int64.self, forKey: .revision)))
    guard try container.decode(Bool.self, forKey: .done) == isDone else {
      throw container.corruption(.done, "differs from whether 'completeTime' is set")
    }
    switch (
      try container.parseIfPresent(Timestamp.self, .deleteTime),
      try container.parseIfPresent(Timestamp.self, .expireTime)
    ) {
    case (let deletedAt?, let expiresAt?): deletion = Deletion(deletedAt: deletedAt, expiresAt: expiresAt)
    case (nil, nil): break
    default: throw container.corruption(.deleteTime, "must be set together with 'expireTime'")
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id.description, forKey: .id)
    try container.encode(number.value, forKey: .number)
    try content.encode(to: encoder)
    try container.encode(isDone, forKey: .done)
    try container.encode(createdAt.description, forKey: .createTime)
    try container.encode(updatedAt.description, forKey: .updateTime)
    try container.encode(completedAt?.description, forKey: .completeTime)
    try container.encode(revision.number, forKey: .revision)
    guard let deletion else { return }
    try container.encode(deletion.deletedAt.description, forKey: .deleteTime)
    try container.encode(deletion.expiresAt.description, forKey: .expireTime)
  }
}

/// The keys are `title`, `dueTime`, `dueDate`, `location`, and those of the other fields in `ItemFields.swift`. Values are not
/// validated, except that a priority is a known one, and a rule or trigger has the form of one; the service does that.
extension ItemContent: Codable {
  private enum CodingKeys: CodingKey {
    case title, dueTime, dueDate, location
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(title: try container.decode(String.self, forKey: .title))
    let fields = try decoder.container(keyedBy: ItemField.Key.self)
    for field in ItemField.all { try field.decode(fields, into: &self) }
    location = try container.decodeIfPresent(Location.self, forKey: .location)
    let time = try container.parseIfPresent(Timestamp.self, .dueTime)
    let date = try container.parseIfPresent(CalendarDate.self, .dueDate)
    guard time == nil || date == nil else { throw container.corruption(.dueDate, "and 'dueTime' exclude each other") }
    due = time.map(DueDate.time) ?? date.map(DueDate.date)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(title, forKey: .title)
    let time: Timestamp? = if case .time(let time) = due { time } else { nil }
    let date: CalendarDate? = if case .date(let date) = due { date } else { nil }
    try container.encode(time?.description, forKey: .dueTime)
    try container.encode(date?.description, forKey: .dueDate)
    try container.encode(location, forKey: .location)
    var fields = encoder.container(keyedBy: ItemField.Key.self)
    for field in ItemField.all { try field.encode(self, to: &fields) }
  }
}

/// The keys are `name`, `address`, `latitude`, `longitude`, `source` and `granularity`. Values are not validated, except that a
/// coordinate has both degrees, and a source a granularity.
extension Location: Codable {
  private enum CodingKeys: CodingKey {
    case name, address, latitude, longitude, source, granularity
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      name: try container.decodeIfPresent(String.self, forKey: .name),
      address: try container.decodeIfPresent(String.self, forKey: .address))
    switch (
      try container.decodeIfPresent(Double.self, forKey: .latitude),
      try container.decodeIfPresent(Double.self, forKey: .longitude)
    ) {
    case (let latitude?, let longitude?):
      guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
        throw container.corruption(.latitude, "must lie in -90...90, and 'longitude' in -180...180")
      }
      self.coordinate = coordinate
    case (nil, nil): break
    default: throw container.corruption(.latitude, "must be set together with 'longitude'")
    }
    let source = try container.decodeIfPresent(String.self, forKey: .source)
    let granularity = try container.decodeIfPresent(String.self, forKey: .granularity)
    guard source != nil || granularity != nil else { return }
    guard let source, let granularity = granularity.flatMap(Granularity.init(rawValue:)) else {
      throw container.corruption(.granularity, "must be a known precision, and set together with 'source'")
    }
    provenance = Provenance(source: source, granularity: granularity)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(address, forKey: .address)
    try container.encode(coordinate?.latitude, forKey: .latitude)
    try container.encode(coordinate?.longitude, forKey: .longitude)
    try container.encode(provenance?.source, forKey: .source)
    try container.encode(provenance?.granularity.rawValue, forKey: .granularity)
  }
}

extension KeyedDecodingContainer {
  func parse<Value: LosslessStringConvertible>(_: Value.Type, _ key: Key) throws -> Value {
    let text = try decode(String.self, forKey: key)
    guard let value = Value(text) else { throw corruption(key, "cannot be parsed") }
    return value
  }

  func parseIfPresent<Value: LosslessStringConvertible>(_: Value.Type, _ key: Key) throws -> Value? {
    try contains(key) && !decodeNil(forKey: key) ? parse(Value.self, key) : nil
  }

  func corruption(_ key: Key, _ reason: String) -> DecodingError {
    .dataCorruptedError(forKey: key, in: self, debugDescription: "'\(key.stringValue)' \(reason)")
  }
}
