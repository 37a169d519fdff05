import ToDoModel

extension LocalToDoService {
  /// Returns the violations of a repetition and reminders with unknown time zones. Finding a zone may read a file.
  func zoneViolations(
    of repetition: Repetition?, _ reminders: [Reminder] = [], at path: String
  ) -> [FieldViolation] {
    let days = reminders.enumerated().compactMap { index, reminder -> (String, String)? in
      guard case .day(let day) = reminder.trigger else { return nil }
      return ("\(path).reminders[\(index)].day.time_zone", day.timeZone)
    }
    let zones = (repetition.map { [("\(path).repetition.time_zone", $0.timeZone)] } ?? []) + days
    return zones.compactMap { field, zone in
      // Another name is a violation of the content.
      guard ZoneName.isValid(zone), timeZones.rules(of: zone) == nil else { return nil }
      return FieldViolation(field, "is \(zone), which this service does not know")
    }
  }

  /// Returns the violations of content with unknown time zones.
  func zoneViolations(of content: ItemContent, at path: String) -> [FieldViolation] {
    guard content.hasMarks else { return [] }
    return zoneViolations(of: content.repetition, content.reminders, at: path)
  }

  // MARK: Editing

  /// Returns edited content, with the date that the rule gave to the occurrence if the edit moved the item away from it.
  func keepingOccurrence(of former: ItemContent, in edited: ItemContent) -> ItemContent {
    guard edited.hasMarks, let repetition = edited.repetition, let old = former.repetition,
      edited.due != former.due || repetition != old, let zone = timeZones.rules(of: repetition.timeZone)
    else { return edited }
    var content = edited
    content.repetition = repetition.continuing(old, dueBefore: former.due, dueAfter: edited.due, in: zone)
    return content
  }

  // MARK: Checking

  /// Completes an incomplete item. An item that repeats moves on to its next occurrence instead, if there is one.
  func complete(_ item: inout ToDoItem, at now: Timestamp) throws {
    guard !item.isDone else { return }
    guard let repetition = item.repetition, let zone = try zone(of: repetition),
      let next = repetition.next(after: item.due, now: now, in: zone)
    else {
      item.completedAt = now
      return
    }
    item.content = item.content.moved(on: next, now: now, in: zone)
  }

  private func zone(of repetition: Repetition) throws -> (any TimeZoneRules)? {
    guard let zone = timeZones.rules(of: repetition.timeZone) else {
      throw ToDoError.invalidItem(zoneViolations(of: repetition, at: "item"))
    }
    return zone
  }

  /// Adds the done item of an occurrence that a check completes, unless an import has brought it: a restored list has the
  /// item as it was before the check.
  ///
  /// - Parameter item: the item as it was before the check.
  /// - Returns: whether an item was added.
  func addOccurrence(of item: ToDoItem, in transaction: any ItemTransaction, at now: Timestamp) throws -> Bool {
    let id = occurrenceID(of: item.id, at: item.revision)
    guard case .absent = try transaction.record(of: id) else { return false }
    guard try transaction.itemCount < itemLimit else { throw ToDoError.listFull(limit: itemLimit) }
    var content = item.content
    content.repetition = nil
    let occurrence = ToDoItem(
      id: id, number: try transaction.nextNumber, content: content, createdAt: now, updatedAt: now, completedAt: now,
      revision: try transaction.revision)
    try checkQuota(for: content, in: transaction)
    try transaction.insert(occurrence, fingerprint: ContentFingerprint(of: content, key: store.fingerprintKey))
    return true
  }

  /// Returns the ID of the done item that a check adds for an occurrence. A repeated check is recognized by it.
  ///
  /// The key keeps a client from adding another item with that ID first, and the time of the item's ID keeps both near each
  /// other in the stores.
  ///
  /// - Parameter revision: the revision of the item before the check.
  func occurrenceID(of id: ItemID, at revision: Revision) -> ItemID {
    var hash = SipHash128(keyLow: store.fingerprintKey.low, high: store.fingerprintKey.high)
    hash.combine(owner.name)
    for number in [Int64(bitPattern: id.high), Int64(bitPattern: id.low), revision.number] { hash.combine(number) }
    return ItemID(occurrenceOf: id, hash: hash.finish())
  }

  /// Whether a check has completed an item that had a revision: one of its occurrences, or the item as it is now.
  func hasChecked(_ item: ToDoItem, at revision: Revision, in transaction: any ItemTransaction) throws -> Bool {
    if case .present = try transaction.record(of: occurrenceID(of: item.id, at: revision)) { return true }
    return try item.isDone && transaction.hasChanged(item, .checked, from: revision)
  }
}
