import Foundation
import Testing

@testable import ToDoScreens

/// Compares the keys of the page in browsers with those of `todo ui`, so that neither gets or loses one alone.
@Suite struct PageKeyTests {
  /// The keys that only `todo ui` has, or has with another meaning.
  private static let onlyInApp: Set<String> = [
    // A browser has these: it moves the focus, clicks, scrolls, edits texts, and closes and redraws windows.
    "List: Tab [ ] go to another section", "List: click wheel select an item, scroll", "List: q quit",
    "Item: ↑ ↓ wheel scroll", "Item: PageUp PageDown scroll by a page", "Item: Home End go to the start or end",
    "Form: ↑ ↓ go to a field or candidate", "Form: Enter go on; save in the address",
    "Form: Ctrl-A Ctrl-E go to the start or end", "Form: Ctrl-U Ctrl-K delete to the start or end",
    "Form: Ctrl-W delete a word", "Form: Ctrl-X due: no date",
    "Map: Tab Shift-Tab center another item", "Map: click open an item, or center",
    "Everywhere: Ctrl-L redraw the window", "Everywhere: Ctrl-Z suspend",
  ]

  /// The screens that the page has as menus and dialogs, with buttons instead of keys.
  private static let screensOnlyInApp: Set<String> = ["Wide window", "Lists", "Members"]

  /// The keys that only the page has.
  private static let onlyOnPage: Set<String> = [
    // Tab moves the focus, and F6 is the key of browsers for parts of a window.
    "List: [ ] go to another section", "Everywhere: F6 Shift-F6 go to lists, items, item",
    // 'todo trash' shows the trash, and the list of 'todo ui' postpones.
    "List: t show the trash", "Item: p postpone the item",
  ]

  @Test func keys_areThoseOfApp_exceptTheseThatDiffer() throws {
    let app = Set(
      KeyTable.groups.filter { !Self.screensOnlyInApp.contains($0.title) }.flatMap { group in
        group.rows.map { "\(group.title): \($0.keyText) \($0.action)" }
      })
    let page = Set(try Self.pageRows())
    #expect(app.subtracting(page) == Self.onlyInApp)
    #expect(page.subtracting(app) == Self.onlyOnPage)
  }

  /// The rows of key-table.js, which has one row a line.
  private static func pageRows() throws -> [String] {
    let file = URL(filePath: #filePath).appending(path: "../../../../Sources/CToDoPage/page/key-table.js").standardized
    var (group, rows) = ("", [String]())
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 3 { group = parts[1] }
      if parts.count == 5 { rows.append("\(group): \(parts[1]) \(parts[3])") }
    }
    return rows
  }
}
