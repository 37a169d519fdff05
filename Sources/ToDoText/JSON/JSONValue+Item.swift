package import ToDoModel

extension JSONValue {
  /// Creates the JSON form of an item. All keys are present, with null for unset fields. Keys may be added in later
  /// versions, but are never removed. Only deleted items have `deleteTime` and `expireTime`, and only items of a list other
  /// than the default one have `list`.
  package init(_ item: ToDoItem) {
    let deletion = item.deletion.map {
      [
        Member("deleteTime", .string($0.deletedAt.description)),
        Member("expireTime", .string($0.expiresAt.description)),
      ]
    }
    self = .object(Self.members(of: item) + Self.listMembers + (deletion ?? []))
  }

  /// Creates the JSON form of an item whose coordinate the user gave, with `nearestTown` unless it is `nil`.
  package init(_ item: ToDoItem, near town: PlaceLabel?) {
    self.init(item)
    guard case .object(let members) = self, let town, let coordinate = item.location?.coordinate else { return }
    let value = [
      Member("name", .string(town.name)),
      Member("distanceMeters", .number(coordinate.distance(to: town.coordinate).rounded())),
    ]
    self = .object(members + [Member("nearestTown", .object(value))])
  }

  /// The list that contains the printed items; none for the default list.
  private static var listMembers: [Member] {
    guard let list = PrintedList.current?.list, !list.id.isDefault else { return [] }
    return [Member("list", .object([Member("id", .string(list.id.description)), Member("name", .string(list.name))]))]
  }

  private static func members(of item: ToDoItem) -> [Member] {
    [
      Member("id", .string(item.id.description)),
      Member("number", .integer(item.number.value)),
    ] + members(of: item.content) + [
      Member("done", .bool(item.isDone)),
      Member("createTime", .string(item.createdAt.description)),
      Member("updateTime", .string(item.updatedAt.description)),
      Member("completeTime", .optional(item.completedAt?.description)),
      Member("revision", .integer(item.revision.number)),
    ]
  }

  /// Creates the JSON form of content that is not saved, with those keys of an item that apply.
  package init(_ content: ItemContent, notices: [String]) {
    let notices = [Member("notices", .array(notices.map(JSONValue.string)))]
    self = .object(Self.members(of: content) + Self.listMembers + notices)
  }

  private static func members(of content: ItemContent) -> [Member] {
    [
      Member("title", .string(content.title)),
      Member("note", .optional(content.itemDescription)),
      Member("dueTime", .optional(content.due?.time?.description)),
      Member("dueDate", .optional(content.due?.date?.description)),
      Member("location", content.location.map(JSONValue.init) ?? .null),
    ] + FieldText.inJSON.flatMap { $0.json?(content) ?? [] }
  }

  /// Creates the JSON form of a reminder.
  init(_ reminder: Reminder) {
    self = .object([
      Member("trigger", .string(reminder.trigger.description)),
      Member("acknowledgedTime", .optional(reminder.acknowledged?.description)),
      Member("snoozeTime", .optional(reminder.snoozedUntil?.description)),
    ])
  }

  /// Creates the JSON form of a repetition.
  init(_ repetition: Repetition) {
    let isAfterDone = if case .afterDone = repetition.rule { true } else { false }
    self = .object([
      Member("rule", .optional(isAfterDone ? nil : repetition.rule.description)),
      Member("afterDone", .optional(isAfterDone ? repetition.rule.description : nil)),
      Member("timeZone", .optional(repetition.timeZone.isEmpty ? nil : repetition.timeZone)),
      Member("startTime", .optional(repetition.start?.time?.description)),
      Member("startDate", .optional(repetition.start?.date?.description)),
      Member("missedCount", .integer(Int64(repetition.missedCount))),
      Member("occurrenceTime", .optional(repetition.occurrence?.time?.description)),
      Member("occurrenceDate", .optional(repetition.occurrence?.date?.description)),
    ])
  }

  /// Creates the JSON form of a place.
  package init(_ location: Location) {
    self = .object([
      Member("name", .optional(location.name)),
      Member("address", .optional(location.address)),
      Member("latitude", .optional(location.coordinate?.latitude)),
      Member("longitude", .optional(location.coordinate?.longitude)),
      Member("source", .optional(location.provenance?.source)),
      Member("granularity", .optional(location.provenance?.granularity.rawValue)),
    ])
  }

  /// Creates the JSON form of a deletion's result.
  ///
  /// - Parameter ids: the IDs of the deleted items, or null if the service does not return them.
  package init(deletedCount: Int, ids: JSONValue, revision: Revision?) {
    self = .object([
      Member("deletedCount", .integer(Int64(deletedCount))),
      Member("ids", ids),
      Member("revision", revision.map { .integer($0.number) } ?? .null),
    ])
  }
}

extension DueDate {
  fileprivate var time: Timestamp? {
    if case .time(let time) = self { time } else { nil }
  }

  fileprivate var date: CalendarDate? {
    if case .date(let date) = self { date } else { nil }
  }
}
