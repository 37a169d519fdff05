/// One entry of the list as it is drawn: a heading, a row, or the gap above a heading.
enum ListEntry: Equatable {
  /// The heading of the section with an index.
  case heading(Int)
  /// The row with an index, counted through all sections.
  case row(Int)
  case gap
}

extension ListSections {
  /// Returns whether a section has a heading. The first one always has; another one, if it has rows.
  private func hasHeading(_ section: Int) -> Bool {
    section == 0 || sections[section].shown.count > 0
  }

  /// The number of entries.
  var entryCount: Int {
    var count = 0
    for section in sections.indices where hasHeading(section) {
      count += (count > 0 ? 1 : 0) + 1 + sections[section].shown.count
    }
    return count
  }

  /// Returns the entry at an index.
  func entry(at index: Int) -> ListEntry? {
    var (rest, row) = (index, 0)
    guard rest >= 0 else { return nil }
    for section in sections.indices where hasHeading(section) {
      if section > 0 {
        if rest == 0 { return .gap }
        rest -= 1
      }
      if rest == 0 { return .heading(section) }
      rest -= 1
      let count = sections[section].shown.count
      if rest < count { return .row(row + rest) }
      rest -= count
      row += count
    }
    return nil
  }

  /// Returns the index of the entry of a row.
  func entryIndex(ofRow row: Int) -> Int {
    var (rest, entry) = (row, 0)
    for section in sections.indices where hasHeading(section) {
      entry += section > 0 ? 2 : 1
      let count = sections[section].shown.count
      if rest < count { break }
      rest -= count
      entry += count
    }
    return entry + rest
  }
}
