extension ItemContent {
  /// Returns every violation of a rule by the content. The result is empty if the content is valid.
  ///
  /// - Parameter path: the prefix of the field names, for example `item` for `item.title`.
  package func violations(at path: String) -> [FieldViolation] {
    var found: [FieldViolation] = []
    func check(_ text: String?, _ field: String, limit: Int) {
      guard let text else { return }
      if text.utf8.count > limit {
        let reason = "is \(text.utf8.count) bytes long; at most \(limit) are allowed"
        found.append(FieldViolation("\(path).\(field)", reason))
      }
      // Neither SQLite nor PostgreSQL can store NUL in a text.
      if text.containsNUL {
        found.append(FieldViolation("\(path).\(field)", "must not contain the character NUL"))
      }
    }

    if title.allSatisfy(\.isWhitespace) {
      found.append(FieldViolation("\(path).title", "must not be blank"))
    }
    check(title, "title", limit: Limits.title)
    check(itemDescription, "description", limit: Limits.itemDescription)
    if case .time(let time) = due, !Timestamp.supportedRange.contains(time) {
      found.append(FieldViolation("\(path).due_time", "must lie in the years 1 to 9999"))
    }
    if location?.isEmpty == true {
      found.append(FieldViolation("\(path).location", "must have a name, an address or a coordinate"))
    }
    check(location?.name, "location.name", limit: Limits.locationName)
    check(location?.address, "location.address", limit: Limits.locationAddress)
    if let source = location?.provenance?.source {
      check(source, "location.source", limit: Limits.locationSource)
      if source.isEmpty { found.append(FieldViolation("\(path).location.source", "must be set")) }
      if source.unicodeScalars.contains(where: { $0.isControl && $0 != "\0" }) {
        found.append(FieldViolation("\(path).location.source", "must not contain control characters"))
      }
    }
    if hasMarks { found += markViolations(at: path) }
    return found
  }

  private func markViolations(at path: String) -> [FieldViolation] {
    ItemField.all.flatMap { $0.violations?(self, path) ?? [] }
  }

  func reminderViolations(at path: String) -> [FieldViolation] {
    guard reminders.count <= Limits.reminders else {
      let reason = "has \(reminders.count) elements; at most \(Limits.reminders) are allowed"
      return [FieldViolation("\(path).reminders", reason)]
    }
    return reminders.enumerated().flatMap { index, reminder in
      reminder.violations(due: due, hasPlace: location != nil, at: "\(path).reminders[\(index)]")
    }
  }

  func stepViolations(at path: String) -> [FieldViolation] {
    guard steps.count <= Limits.steps else {
      return [FieldViolation("\(path).steps", "has \(steps.count) elements; at most \(Limits.steps) are allowed")]
    }
    return steps.enumerated().compactMap { index, step in
      let size = step.text.utf8.count
      let reason: String? =
        if step.text.allSatisfy(\.isWhitespace) {
          "must not be blank"
        } else if size > Limits.step {
          "is \(size) bytes long; at most \(Limits.step) are allowed"
        } else if step.text.containsNUL {
          "must not contain the character NUL"
        } else {
          nil
        }
      return reason.map { FieldViolation("\(path).steps[\(index)].text", $0) }
    }
  }

  func tagViolations(at path: String) -> [FieldViolation] {
    guard tags.count <= Limits.tags else {
      return [FieldViolation("\(path).tags", "has \(tags.count) elements; at most \(Limits.tags) are allowed")]
    }
    return tags.indices.filter { !Tag.isValid(tags[$0]) }.map { FieldViolation("\(path).tags[\($0)]", Tag.violation) }
  }
}
