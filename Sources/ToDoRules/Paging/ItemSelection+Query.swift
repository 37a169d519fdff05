import ToDoModel

extension ItemSelection {
  /// Validates a query and creates its selection.
  ///
  /// - Throws: `ToDoError.invalidRequest`, `ToDoError.invalidPageToken`, `ToDoError.listReplaced`.
  init(_ query: ItemQuery, of incarnation: ListIncarnation) throws {
    var violations: [FieldViolation] = []
    if let size = query.pageSize, size < 1 {
      violations.append(FieldViolation("page_size", "is \(size); it must be at least 1"))
    }
    if query.text.utf8.count > ItemQuery.Limits.text {
      let reason = "is \(query.text.utf8.count) bytes long; at most \(ItemQuery.Limits.text) are allowed"
      violations.append(FieldViolation("text", reason))
    }
    if query.numbers.count > ItemQuery.Limits.numbers {
      let reason = "has \(query.numbers.count) elements; at most \(ItemQuery.Limits.numbers) are allowed"
      violations.append(FieldViolation("numbers", reason))
    }
    for (index, number) in query.numbers.enumerated() where number < ItemNumber(1) {
      violations.append(FieldViolation("numbers[\(index)]", "is \(number); it must be at least 1"))
    }
    guard violations.isEmpty else { throw ToDoError.invalidRequest(violations) }
    self.init(
      state: query.state,
      text: TextFilter(query.text),
      numbers: Set(query.numbers),
      order: query.order,
      after: try query.pageToken.map { try PageToken($0, for: query, of: incarnation).position },
      limit: min(query.pageSize ?? ItemQuery.Limits.defaultPageSize, ItemQuery.Limits.pageSize),
      sizeLimit: ItemQuery.Limits.pageTextSize)
  }
}
