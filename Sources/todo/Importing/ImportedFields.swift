import ToDoModel

/// The known fields of items in a JSON text. Any other field is a mistake: its value would be lost.
enum ImportedFields {
  /// The fields that are imported, and those that `todo` prints in addition.
  private static let item = Set(ItemField.all.compactMap(\.key)).union([
    "id", "number", "dueTime", "dueDate", "location", "done", "createTime", "updateTime", "completeTime", "revision",
    "deleteTime", "expireTime", "nearestTown", "list",
  ])
  private static let objects: [String: Set<String>] = [
    "list": ["id", "name", "color", "order"],
    "location": ["name", "address", "latitude", "longitude", "source", "granularity"],
    "repetition": [
      "rule", "afterDone", "timeZone", "startTime", "startDate", "missedCount", "occurrenceTime", "occurrenceDate",
    ],
  ]
  private static let lists: [String: Set<String>] = [
    "steps": ["text", "done"], "reminders": ["trigger", "acknowledgedTime", "snoozeTime"],
  ]

  /// Checks that an item has no other fields.
  ///
  /// - Throws: `DecodingError`.
  static func check(_ decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    try check(container, item)
    for (name, fields) in objects {
      guard let object = try? container.nestedContainer(keyedBy: Key.self, forKey: Key(name)) else { continue }
      try check(object, fields)
    }
    for (name, fields) in lists {
      guard var list = try? container.nestedUnkeyedContainer(forKey: Key(name)) else { continue }
      while !list.isAtEnd, let object = try? list.nestedContainer(keyedBy: Key.self) { try check(object, fields) }
    }
  }

  private static func check(_ container: KeyedDecodingContainer<Key>, _ fields: Set<String>) throws {
    // The keys are not in the text's order.
    guard let key = container.allKeys.filter({ !fields.contains($0.stringValue) }).min(by: { $0.name < $1.name }) else {
      return
    }
    throw DecodingError.dataCorruptedError(
      forKey: key, in: container,
      debugDescription: "is not a field; the fields are \(fields.sorted().joined(separator: ", "))")
  }

  private struct Key: CodingKey {
    let name: String

    init(_ name: String) { self.name = name }
    init(stringValue: String) { name = stringValue }
    init?(intValue: Int) { nil }

    var stringValue: String { name }
    var intValue: Int? { nil }
  }
}
