import ToDoModel

extension ItemSelection {
  /// Validates a query and creates its selection.
  ///
  /// - Throws: `ToDoError.invalidRequest`, `ToDoError.invalidPageToken`, `ToDoError.listReplaced`.
  init(_ query: ItemQuery, of incarnation: ListIncarnation, now: Timestamp) throws {
    var violations: [FieldViolation] = []
    if let size = query.pageSize, size < 1 {
      violations.append(FieldViolation("page_size", "is \(size); it must be at least 1"))
    }
    if let limit = query.doneLimit, limit < 1 {
      violations.append(FieldViolation("done_limit", "is \(limit); it must be at least 1"))
    }
    if query.text.utf8.count > ItemQuery.Limits.text {
      let reason = "is \(query.text.utf8.count) bytes long; at most \(ItemQuery.Limits.text) are allowed"
      violations.append(FieldViolation("text", reason))
    }
    if query.numbers.count > ItemQuery.Limits.numbers {
      let reason = "has \(query.numbers.count) elements; at most \(ItemQuery.Limits.numbers) are allowed"
      violations.append(FieldViolation("numbers", reason))
    }
    violations += query.filter.violations
    for (index, number) in query.numbers.enumerated() where number < ItemNumber(1) {
      violations.append(FieldViolation("numbers[\(index)]", "is \(number); it must be at least 1"))
    }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    self.init(
      state: query.deleted == .only ? .all : query.state,
      text: TextFilter(query.text),
      numbers: Set(query.numbers),
      due: query.filter.due,
      place: TextFilter(query.filter.place),
      tags: query.filter.tags,
      priorities: query.filter.priorities,
      wait: query.filter.wait,
      deleted: query.deleted,
      now: now,
      order: query.order,
      after: try query.pageToken.map { try PageToken($0, for: query, of: incarnation).position },
      limit: min(query.pageSize ?? ItemQuery.Limits.defaultPageSize, ItemQuery.Limits.pageSize),
      doneLimit: query.doneLimit ?? .max, sizeLimit: ItemQuery.Limits.pageTextSize)
  }
}

extension ItemFilter {
  fileprivate var violations: [FieldViolation] {
    var violations: [FieldViolation] = []
    if place.utf8.count > ItemQuery.Limits.text {
      let reason = "is \(place.utf8.count) bytes long; at most \(ItemQuery.Limits.text) are allowed"
      violations.append(FieldViolation("filter.place", reason))
    }
    for (name, wanted) in [("all", tags.all), ("any", tags.any), ("none", tags.none)] {
      guard wanted.count <= ItemContent.Limits.tags else {
        let reason = "has \(wanted.count) elements; at most \(ItemContent.Limits.tags) are allowed"
        violations.append(FieldViolation("filter.tags.\(name)", reason))
        continue
      }
      for (index, tag) in wanted.enumerated() where !Tag.isValid(lowercased: tag) {
        violations.append(FieldViolation("filter.tags.\(name)[\(index)]", Tag.violation))
      }
    }
    if let wait, !Timestamp.supportedRange.contains(wait.time) {
      violations.append(FieldViolation("filter.wait.time", "must lie in the years 1 to 9999"))
    }
    guard case .within(let range) = due else { return violations }
    if let start = range.start, let end = range.end, end < start {
      violations.append(FieldViolation("filter.due.range.end_time", "must not be before start_time"))
    }
    if let start = range.startDate, let end = range.endDate, end < start {
      violations.append(FieldViolation("filter.due.range.end_date", "must not be before start_date"))
    }
    return violations
  }
}
