package import ToDoModel

extension JSONValue {
  /// Creates the JSON form of a revision. All keys are present, with null for unknown values.
  package init(_ record: RevisionRecord) {
    self = .object([
      Member("revision", .integer(record.revision.number)),
      Member("time", .string(record.time.description)),
      Member("user", record.origin.user.isEmpty ? .null : .string(record.origin.user)),
      Member("client", record.origin.clientText.isEmpty ? .null : .string(record.origin.clientText)),
      Member("own", .bool(record.isOwn)),
      Member("revertedRevision", record.origin.reverted.map { .integer($0.number) } ?? .null),
      Member("movedList", record.origin.moved.map { .string($0.list.description) } ?? .null),
      Member("movedListRevision", record.origin.moved.map { .integer($0.revision.number) } ?? .null),
      Member("changes", .array(record.changes.map(JSONValue.init))),
      Member("changeCount", .integer(Int64(record.changeCount))),
    ])
  }

  /// Creates the JSON form of a change in the history.
  package init(_ change: RecordedChange) {
    self = .object(
      Self.members(change.item, change.number, change.title) + [
        Member("change", .string(change.verb)), Member("fields", .array(change.fields.map(JSONValue.init))),
      ])
  }

  private init(_ change: FieldChange) {
    self = .object([
      Member("field", .string(change.field == .itemDescription ? "note" : change.field.rawValue)),
      Member("from", change.from.map(JSONValue.init) ?? .null), Member("to", change.to.map(JSONValue.init) ?? .null),
    ])
  }

  private init(_ value: FieldChange.Value) {
    switch value {
    case .text(let text): self = .string(text)
    case .due(.time(let time)): self = .string(time.description)
    case .due(.date(let date)): self = .string(date.description)
    case .coordinate(let coordinate):
      self = .object([
        Member("latitude", .optional(coordinate.latitude)), Member("longitude", .optional(coordinate.longitude)),
      ])
    case .done(let isDone): self = .bool(isDone)
    }
  }

  /// Creates the JSON form of an undo or a redo.
  ///
  /// - Parameter removed: the items whose move was refused because the other list no longer exists.
  package init(_ reversal: Reversal, of step: ReversalStep, withoutOtherList removed: Set<ItemID> = []) {
    self = .object([
      Member("revision", .integer(reversal.revision.number)),
      Member("revertedRevisions", .array(step.revisions.map { .integer($0.number) })),
      Member("change", step.change.map(JSONValue.init) ?? .null),
      Member("revertedCount", .integer(Int64(reversal.revertedCount))),
      Member("refusedCount", .integer(Int64(reversal.refusedCount))),
      Member("refusals", .array(reversal.refusals.map { JSONValue($0, isMove: removed.contains($0.item)) })),
    ])
  }

  private init(_ refusal: Reversal.Refusal, isMove: Bool) {
    let reason = isMove ? "listNotFound" : refusal.reason.rawValue
    self = .object(
      Self.members(refusal.item, refusal.number, refusal.title) + [Member("reason", .string(reason))])
  }

  private static func members(_ item: ItemID, _ number: ItemNumber?, _ title: String?) -> [Member] {
    [
      Member("id", .string(item.description)), Member("number", number.map { .integer($0.value) } ?? .null),
      Member("title", .optional(title)),
    ]
  }
}
