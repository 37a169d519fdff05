import Testing

@testable import todo

@Suite struct ListLayoutTests {
  private let plants = ListLayout.Row(
    isOverdue: false, number: "0198", title: "Water the plants in the office", due: "2027-01-03 17:00",
    place: "Office, 4th floor")

  private func lines(_ rows: [ListLayout.Row], columns: Int?) -> [String] {
    let section = ListLayout.Section(title: "To do", rows: rows)
    return ListLayout(sections: [section], columns: columns).lines(Palette(isColored: false))
  }

  @Test(arguments: [
    (nil, "  0198  Water the plants in the office  2027-01-03 17:00  Office, 4th floor"),
    (75, "  0198  Water the plants in the office  2027-01-03 17:00  Office, 4th floor"),
    (74, "  0198  Water the plants in the office  2027-01-03 17:00  Office, 4th flo…"),
    (60, "  0198  Water the plants in…  2027-01-03 17:00  Office, 4th…"),
    (50, "  0198  Water the plants in the…  2027-01-03 17:00"),
    (36, "  0198  Water the plants in the off…"),
    (12, "  0198  Wat…"),
    (3, "  0198  …"),
  ])
  func lines_whenTerminalIsNarrow_truncateThenOmitColumns(columns: Int?, line: String) {
    #expect(lines([plants], columns: columns) == ["To do (1)", line])
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
