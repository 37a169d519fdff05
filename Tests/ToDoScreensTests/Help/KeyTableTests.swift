import Testing
import ToDoText

@testable import ToDoScreens

@Suite struct KeyTableTests {
  @Test func keys_ofScreen_areDistinct() {
    for group in KeyTable.groups {
      let keys = group.rows.flatMap(\.keys)
      #expect(Set(keys).count == keys.count, "\(group.title)")
    }
  }

  @Test func markdown_hasTableForEachScreen() {
    let lines = KeyTable.markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(
      lines.prefix(5) == ["**List**", "", "| key | action |", "| --- | --- |", "| `↑` `↓` `j` `k` | select an item |"])
    #expect(
      lines.filter { $0.hasPrefix("**") } == [
        "**List**", "**Wide window**", "**Item**", "**Form**", "**Map**", "**Lists**", "**Members**", "**Everywhere**",
      ])
    #expect(lines.count { $0.hasPrefix("| `") } == KeyTable.groups.reduce(0) { $0 + $1.rows.count })
    #expect(lines.last?.isEmpty == true)
  }

  @Test func texts_fitIntoNarrowWindow() {
    for row in KeyTable.groups.flatMap(\.rows) {
      #expect(row.keyText.displayWidth <= 28 && row.action.displayWidth <= 26)
    }
  }
}
