public import ToDoModel

/// The rules of lists.
extension ListRecords {
  /// The position of a list that is created: after the default list, among the others by name.
  static let initialOrder: Int32 = 1

  /// The lists of the user and those that others share: those that are not deleted, or all that can be restored, too.
  ///
  /// - Parameter includingInvitations: whether to include shared lists that the user has not accepted.
  public func set(includingDeleted: Bool, includingInvitations: Bool = false, at now: Timestamp) -> ListSet {
    let others = shared.values.map(\.view).filter { includingInvitations || !$0.isInvitation }
    var lists = (records.values.map(\.view) + others).filter { list in
      guard let deletion = list.deletion else { return true }
      return includingDeleted && deletion.expiresAt > now
    }
    if records[.default] == nil { lists.append(.inbox) }
    let keyed = lists.map { (FoldedText.bytes(of: $0.name), $0) }
    let sorted = keyed.sorted { left, right in
      if left.1.order != right.1.order { return left.1.order < right.1.order }
      return left.0 == right.0 ? left.1.id < right.1.id : left.0.lexicographicallyPrecedes(right.0)
    }
    return ListSet(version: version, lists: sorted.map(\.1))
  }

  /// Returns a list of the user, which may be deleted, or a list that another user shares.
  ///
  /// - Throws: `ToDoError.listNotFound`, also for a deleted list that has expired.
  public func list(_ id: ListID, at now: Timestamp) throws(ToDoError) -> UserList {
    guard let list = records[id]?.view ?? shared[id]?.view else {
      guard id.isDefault else { throw .listNotFound(id) }
      return .inbox
    }
    guard list.deletion.map({ $0.expiresAt > now }) ?? true else { throw .listNotFound(id) }
    return list
  }

  /// Creates a list.
  ///
  /// - Parameter limit: the maximum number of lists besides the default one, deleted ones included.
  /// - Throws: `ToDoError`, as `ToDoListService.createList(_:)` does.
  public mutating func create(_ new: NewList, at now: Timestamp, limit: Int) throws(ToDoError) -> UserList {
    var violations = UserList.violations(ofName: new.name, at: "name")
    if new.id.isDefault { violations.append(FieldViolation("id", "must not be that of the default list")) }
    guard violations.isEmpty else { throw .invalidRequest(violations) }
    let createdAs = "\(new.color.rawValue)/\(new.name)"
    if let record = records[new.id] {
      guard record.createdAs == createdAs, record.list.deletion == nil else { throw .listIDConflict(new.id) }
      return record.view
    }
    try checkName(new.name, of: new.id)
    guard furtherLists.count < limit else { throw .tooManyLists(limit: limit) }
    let list = UserList(
      id: new.id, name: new.name, color: new.color, order: Self.initialOrder, createdAt: now, updatedAt: now)
    return put(Record(list, createdAs: createdAs))
  }

  /// Changes some fields of a list.
  ///
  /// - Throws: `ToDoError`, as `ToDoListService.updateList(_:_:ifVersion:)` does.
  public mutating func update(
    _ id: ListID, _ edit: ListEdit, ifVersion: Int64?, at now: Timestamp
  ) throws(ToDoError) -> UserList {
    var violations = edit.name.map { UserList.violations(ofName: $0, at: "list.name") } ?? []
    if edit.isEmpty { violations.append(FieldViolation("update_mask", "must name at least one field")) }
    guard violations.isEmpty else { throw .invalidRequest(violations) }
    let former = try availableList(id)
    guard ifVersion == nil || ifVersion == former.list.version else {
      throw .listVersionMismatch(id, current: former.list.version)
    }
    var record = former
    if let name = edit.name { record.list.name = name }
    if let color = edit.color { record.list.color = color }
    if let order = edit.order { record.list.order = order }
    guard record != former else { return former.view }
    if record.list.name != former.list.name { try checkName(record.list.name, of: id) }
    record.list.updatedAt = now
    return put(record)
  }

  /// Deletes a list.
  ///
  /// - Parameter expiry: the time from which the list can no longer be restored.
  /// - Throws: `ToDoError`, as `ToDoListService.deleteList(_:)` does.
  public mutating func delete(
    _ id: ListID, at now: Timestamp, restorableUntil expiry: Timestamp
  ) throws(ToDoError) -> UserList {
    guard !id.isDefault else {
      throw .invalidRequest([FieldViolation("id", "is that of the default list, which cannot be deleted")])
    }
    var record = try availableList(id)
    record.list.updatedAt = now
    record.list.deletion = ToDoItem.Deletion(deletedAt: now, expiresAt: expiry)
    // Nobody could answer the invitations, and they would count.
    record.members.removeAll { $0.acceptedAt == nil }
    return put(record)
  }

  /// Restores a deleted list.
  ///
  /// - Throws: `ToDoError`, as `ToDoListService.undeleteList(_:)` does.
  public mutating func undelete(_ id: ListID, at now: Timestamp) throws(ToDoError) -> UserList {
    let list = try list(id, at: now)
    guard shared[id] == nil else { throw .notPermitted(needed: .owner) }
    guard list.isDeleted, var record = records[id] else { throw .listNotDeleted(id) }
    try checkName(list.name, of: id)
    record.list.updatedAt = now
    record.list.deletion = nil
    return put(record)
  }

  /// Removes a deleted list that has expired, after its items were purged. Does nothing for any other list.
  public mutating func removeExpired(_ id: ListID, at now: Timestamp) {
    guard let deletion = records[id]?.list.deletion, deletion.expiresAt <= now else { return }
    remove(id)
  }

  /// - Throws: `ToDoError.listNotFound` if the list is deleted, `ToDoError.notPermitted` if another user owns it.
  func availableList(_ id: ListID) throws(ToDoError) -> Record {
    guard shared[id] == nil else { throw .notPermitted(needed: .owner) }
    guard isAvailable(id) else { throw .listNotFound(id) }
    return records[id] ?? Record(.inbox)
  }

  /// - Throws: `ToDoError.duplicateList` if another list that is not deleted has the name, without regard to case and accents.
  private func checkName(_ name: String, of id: ListID) throws(ToDoError) {
    let folded = FoldedText.bytes(of: name)
    var others = records.values.map(\.list)
    if records[.default] == nil { others.append(.inbox) }
    let existing = others.first { other in
      other.id != id && other.deletion == nil && FoldedText.bytes(of: other.name) == folded
    }
    if let existing { throw .duplicateList(id, existing: existing.id) }
  }
}
