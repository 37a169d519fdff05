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
    violations += query.filter.violations(at: "filter")
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
      combination: FilterCombination(query.filter),
      deleted: query.deleted,
      now: now,
      order: query.order,
      after: try query.pageToken.map { try PageToken($0, for: query, of: incarnation).position },
      limit: min(query.pageSize ?? ItemQuery.Limits.defaultPageSize, ItemQuery.Limits.pageSize),
      doneLimit: query.doneLimit ?? .max, sizeLimit: ItemQuery.Limits.pageTextSize)
  }
}

extension ItemFilter {
  /// Checks a filter.
  ///
  /// - Throws: `ToDoError.invalidRequest`.
  func validate() throws {
    let violations = violations(at: "filter")
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
  }

  fileprivate func violations(at path: String) -> [FieldViolation] {
    var violations: [FieldViolation] = []
    for (name, text) in [("place", place), ("text", text), ("no_text", excludedText)]
    where text.utf8.count > ItemQuery.Limits.text {
      let reason = "is \(text.utf8.count) bytes long; at most \(ItemQuery.Limits.text) are allowed"
      violations.append(FieldViolation("\(path).\(name)", reason))
    }
    violations += tags.violations(at: "\(path).tags")
    if let wait, !Timestamp.supportedRange.contains(wait.time) {
      violations.append(FieldViolation("\(path).wait.time", "must lie in the years 1 to 9999"))
    }
    if case .within(let range) = due { violations += range.violations(at: "\(path).due.range") }
    return violations
      + Self.violations(of: alternatives, at: "\(path).any_of", limit: Limits.alternatives) { filter, path in
        filter.alternatives.isEmpty ? nil : "\(path).any_of"
      }
      + Self.violations(of: exclusions, at: "\(path).none_of", limit: Limits.exclusions) { filter, path in
        filter.alternatives.isEmpty ? filter.exclusions.isEmpty ? nil : "\(path).none_of" : "\(path).any_of"
      }
  }

  /// Returns the violations in filters that are part of another one.
  ///
  /// - Parameter nested: returns the path of a field that must be empty in a part, but is not.
  private static func violations(
    of filters: [ItemFilter], at path: String, limit: Int, _ nested: (ItemFilter, String) -> String?
  ) -> [FieldViolation] {
    guard filters.count <= limit else {
      return [FieldViolation(path, "has \(filters.count) elements; at most \(limit) are allowed")]
    }
    return filters.enumerated().flatMap { index, filter in
      let path = "\(path)[\(index)]"
      if filter.isEmpty {
        return [FieldViolation(path, "must set a field; every item would pass the filter")]
      }
      if let path = nested(filter, path) { return [FieldViolation(path, "must be empty")] }
      return filter.violations(at: path)
    }
  }
}

extension TagFilter {
  fileprivate func violations(at path: String) -> [FieldViolation] {
    guard !isEmpty else { return [] }
    return [("all", all), ("any", any), ("none", none)].flatMap { name, wanted in
      guard wanted.count <= ItemContent.Limits.tags else {
        let reason = "has \(wanted.count) elements; at most \(ItemContent.Limits.tags) are allowed"
        return [FieldViolation("\(path).\(name)", reason)]
      }
      return wanted.enumerated().filter { !Tag.isValid(lowercased: $1) }.map {
        FieldViolation("\(path).\(name)[\($0.offset)]", Tag.violation)
      }
    }
  }
}

extension DueRange {
  fileprivate func violations(at path: String) -> [FieldViolation] {
    var violations: [FieldViolation] = []
    if let start, let end, end < start {
      violations.append(FieldViolation("\(path).end_time", "must not be before start_time"))
    }
    if let startDate, let endDate, endDate < startDate {
      violations.append(FieldViolation("\(path).end_date", "must not be before start_date"))
    }
    return violations
  }
}
