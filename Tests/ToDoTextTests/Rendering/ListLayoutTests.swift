import Testing
import ToDoModel

@testable import ToDoText

@Suite struct ListLayoutTests {
  private let plants = ListLayout.Row(
    isOverdue: false, number: "0198", title: "Water the plants in the office", due: "2027-01-03 17:00",
    place: "Office, 4th floor")

  private func lines(_ rows: [ListLayout.Row], columns: Int?) -> [String] {
    let section = ListLayout.Section(title: "To do", rows: rows)
    return ListLayout(sections: [section], columns: columns).lines.map(\.text)
  }

  @Test(arguments: [
    (75, "  0198  Water the plants in the office  2027-01-03 17:00  Office, 4th floor"),
    (74, "  0198  Water the plants in the office  2027-01-03 17:00  Office, 4th flo…"),
    (60, "  0198  Water the plants in…  2027-01-03 17:00  Office, 4th…"),
  ])
  func lines_whenTooLong_areTruncated(columns: Int, line: String) {
    #expect(lines([plants], columns: columns) == ["To do (1)", line])
  }

  @Test(arguments: [
    (59, "Water the plants in the office", "2027-01-03 17:00  Office, 4th floor"),
    (43, "Water the plants in the office", "2027-01-03 17:00  Office, 4th floor"),
    (40, "Water the plants in the office", "2027-01-03 17:00  Office, 4th f…"),
    (36, "Water the plants in the off…", "2027-01-03 17:00  Office, 4…"),
    (30, "Water the plants in t…", "2027-01-03 17:00"),
    (12, "Wat…", "202…"),
    (3, "…", "…"),
  ])
  func lines_whenTerminalIsNarrow_areFolded(columns: Int, title: String, details: String) {
    #expect(lines([plants], columns: columns) == ["To do (1)", "  0198  \(title)", "        \(details)"])
  }

  /// Returns the styled parts of the row of an item with a priority in a list with a color.
  private func styles(_ priority: Priority, columns: Int?) -> [String] {
    var row = ListLayout.Row(isOverdue: false, number: "work/12", title: "\(priority.mark) Call", due: "", place: "")
    (row.priority, row.listColor) = (priority, .teal)
    let layout = ListLayout(sections: [ListLayout.Section(title: "To do", rows: [row])], columns: columns)
    var parts: [String] = []
    layout.lines[1].forEachPart { parts.append("\($1) \($0)") }
    return parts
  }

  @Test(arguments: [nil, 80, 40]) func prioritiesAndLists_haveColors(columns: Int?) {
    for (priority, color) in [(Priority.low, "gray !"), (.medium, "blue !!"), (.high, "purple !!!")] {
      #expect(
        styles(priority, columns: columns) == ["plain   ", "teal work", "id /12", "plain   ", color, "plain  Call"])
    }
  }

  @Test func lines_whenFolded_haveNoEmptySecondLine() {
    let call = ListLayout.Row(isOverdue: false, number: "7", title: "Call", due: "", place: "")
    let swim = ListLayout.Row(
      isOverdue: true, isHighlighted: true, number: "12", distance: "1.2 km", title: "Swim", due: "", place: "Lake")
    #expect(
      lines([call, swim], columns: 40) == ["To do (2)", "   7  Call", "!*12  Swim", "      1.2 km  Lake"])
  }

  @Test func lines_withoutWidth_areNotAlignedAfterDistance() {
    let call = ListLayout.Row(isOverdue: true, number: "7", title: "Call", due: "yesterday", place: "Home")
    #expect(
      lines([plants, call], columns: nil) == [
        "To do (2)", "  0198  Water the plants in the office  2027-01-03 17:00  Office, 4th floor",
        "!    7  Call  yesterday  Home",
      ])
    let swim = ListLayout.Row(
      isOverdue: false, number: "12", distance: "91 km", title: "Swim in the lake", due: "", place: "Lake")
    var ski = swim
    (ski.distance, ski.title) = ("1.2 km", "Ski")
    #expect(
      lines([swim, ski], columns: nil).dropFirst() == [
        "  12  91 km   Swim in the lake  Lake", "  12  1.2 km  Ski  Lake",
      ])
  }

  @Test func lines_whenItemsHaveNotesOrCoordinates_areMarked() {
    var marked = plants
    (marked.hasNote, marked.hasCoordinate) = (true, true)
    let call = ListLayout.Row(isOverdue: false, number: "0198", title: "Call", due: "", place: "Home")
    #expect(
      lines([marked, call], columns: 80) == [
        "To do (2)", "  0198  Water the plants in the office +  2027-01-03 17:00  Office, 4th floor @",
        "  0198  Call                                                Home",
      ])
    #expect(
      lines([marked], columns: 60).dropFirst() == ["  0198  Water the plants … +  2027-01-03 17:00  Office, 4… @"])
    #expect(
      lines([marked], columns: 36).dropFirst() == [
        "  0198  Water the plants in the o… +", "        2027-01-03 17:00  Office,… @",
      ])
    #expect(
      lines([marked], columns: nil).dropFirst()
        == ["  0198  Water the plants in the office +  2027-01-03 17:00  Office, 4th floor @"])
  }

  @Test(arguments: 9...90)
  func lines_whenCharactersAreWide_fitTerminal(columns: Int) {
    let milk = ListLayout.Row(isOverdue: true, number: "019", title: "牛乳を買う🥛牛乳を買う", due: "yesterday", place: "店店店店店店店店")
    for line in lines([plants, milk], columns: columns).dropFirst() { #expect(line.displayWidth <= columns) }
  }

  @Test func lines_whenCharactersAreWide_alignColumns() {
    let milk = ListLayout.Row(isOverdue: true, number: "01984", title: "牛乳", due: "yesterday", place: "")
    let call = ListLayout.Row(isOverdue: false, number: "0198", title: "Call", due: "", place: "Home")
    #expect(
      lines([milk, call], columns: 80) == ["To do (2)", "! 01984  牛乳  yesterday", "   0198  Call             Home"])
  }

  @Test func lines_whenColumnIsEmpty_omitColumn() {
    let call = ListLayout.Row(isOverdue: false, number: "0198", title: "Call", due: "", place: "Home")
    #expect(lines([call], columns: 80) == ["To do (1)", "  0198  Call  Home"])
  }
}
