package import ToDoModel

/// The revisions of a list, with the revision, its time, the changes and their origin:
///
///     8  today 10:16:42  Restored 12: Buy milk (undo)  by ann
///     7  today 10:15:42  Deleted 12: Buy milk  by ann, todo/0.1.0 laptop
///     6  today 10:14:42  Edited 12: Buy milk  by ann, todo/0.1.0 laptop
///                          due  tomorrow → Fri 27 Nov
///
/// In a narrow window, the client gives way, and the user is named below the change.
package struct HistoryLayout {
  let records: [RevisionRecord]
  /// The revisions reverted by `records`, or by one another, that `records` lacks. They are not shown.
  let reverted: [RevisionRecord]
  /// The known names of the lists to and from which items were moved.
  let lists: [ListID: String]
  let today: CalendarDate
  let zone: any TimeZoneRules
  /// The maximum width of a line, or `nil` for no limit.
  let columns: Int?

  /// Creates the layout of revisions, the latest first.
  ///
  /// - Parameters:
  ///   - reverted: the revisions reverted by `records`, or by one another, that `records` lacks.
  ///   - lists: the known names of the lists to and from which items were moved.
  package init(
    records: [RevisionRecord], reverted: [RevisionRecord] = [], lists: [ListID: String] = [:], today: CalendarDate,
    zone: any TimeZoneRules,
    columns: Int?
  ) {
    (self.records, self.reverted, self.lists) = (records, reverted, lists)
    (self.today, self.zone, self.columns) = (today, zone, columns)
  }

  /// The number of one revision's changes that are shown.
  private static let changeLimit = 3
  /// The minimum width of a truncated origin. A narrower one is omitted.
  private static let minimumOrigin = 8

  /// Returns the lines of each change that is shown: the change, and the fields that it set.
  package var lines: [StyledText] {
    let times = records.map { DueDate.time($0.time).shortText(today: today, in: zone) }
    let numberWidth = records.map(\.revision.description.count).max() ?? 0
    let timeWidth = times.map(\.displayWidth).max() ?? 0
    let indent = numberWidth + timeWidth + 4
    let room = columns.map { max(1, $0 - indent) } ?? .max
    return zip(records, times).flatMap { record, time in
      let number = record.revision.description
      var lines = changeTexts(record, room).enumerated().map { index, text in
        var line = StyledText()
        guard index == 0 else {
          line.append(blanks: indent)
          line.append(text)
          return line
        }
        line.append(blanks: numberWidth - number.count)
        line.append(number, .faint)
        line.append("  \(time.padded(toWidth: timeWidth))  \(text)")
        return line
      }
      let user = record.userText
      if let origin = origin(record, lines[0].text.displayWidth) {
        if !origin.isEmpty { lines[0].append("  " + StyledText(origin, .faint)) }
      } else if !user.isEmpty {
        var line = StyledText()
        line.append(blanks: indent)
        line.append(user.truncated(toWidth: room), .faint)
        lines.insert(line, at: 1)
      }
      return lines
    }
  }

  /// Returns a revision's first changes with their fields, and how many others there are.
  private func changeTexts(_ record: RevisionRecord, _ room: Int) -> [String] {
    let changes = record.changes.prefix(Self.changeLimit)
    let mark = reversal(record).map { " (\($0.rawValue))" } ?? ""
    let (isMove, list) = (record.origin.moved != nil, otherList(of: record))
    let shown = changes.flatMap { change in
      [(change.text(isMove: isMove, list: list) + mark).truncated(toWidth: room)] + fieldTexts(change, room)
    }
    let rest = record.changeCount - changes.count
    let more = rest > 0 ? [changes.isEmpty ? "Changed \(rest) items" : "and \(rest) more"] : []
    return shown + more.map { $0.truncated(toWidth: room) }
  }

  /// Returns the name of a move's other list, if it is known. Each user has a default list, so that of another user is not the
  /// one that `lists` names.
  private func otherList(of record: RevisionRecord) -> String? {
    guard let list = record.origin.moved?.list else { return nil }
    guard list.isDefault, !record.isOwn, !record.origin.user.isEmpty else { return lists[list] }
    return "\(record.origin.user)'s default list"
  }

  private func fieldTexts(_ change: RecordedChange, _ room: Int) -> [String] {
    let lines = change.printedFields.map { FieldChangeLine($0, today: today, zone: zone) }
    let labelWidth = lines.map(\.label.displayWidth).max() ?? 0
    return lines.map { $0.text(labelWidth: labelWidth, width: room) }
  }

  /// Returns whether a revision is an undo or a redo, as far as the reverted revisions are known.
  private func reversal(_ record: RevisionRecord) -> ReversalStep.Kind? {
    guard let target = record.origin.reverted else { return nil }
    guard target < record.revision,
      let target = records.first(where: { $0.revision == target }) ?? reverted.first(where: { $0.revision == target })
    else { return .undo }
    return reversal(target) == .undo ? .redo : .undo
  }

  /// Returns a revision's origin, or as much as fits after a line of a width. `nil` if the user's name does not fit.
  private func origin(_ record: RevisionRecord, _ width: Int) -> String? {
    let (text, user) = (record.originText, record.userText)
    let rest = columns.map { $0 - width - 2 } ?? .max
    if text.isEmpty || text.displayWidth <= rest { return text }
    // A comma and an ellipsis follow the name.
    if rest >= max(Self.minimumOrigin, user.displayWidth + 2) { return text.truncated(toWidth: rest) }
    return !user.isEmpty && user.displayWidth <= rest ? user : nil
  }
}
