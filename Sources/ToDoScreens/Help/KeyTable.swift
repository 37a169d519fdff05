/// The keys of all screens. Sources/todo/README.md contains the same table.
struct KeyTable: Equatable, Sendable {
  /// The keys of a screen.
  struct Group: Equatable, Sendable {
    let title: String
    let rows: [Row]
  }

  /// Keys and their common action.
  struct Row: Equatable, Sendable {
    let keys: [String]
    let action: String

    init(_ keys: String..., action: String) {
      (self.keys, self.action) = (keys, action)
    }

    /// The keys as text, such as `q Esc`.
    var keyText: String { keys.joined(separator: " ") }
  }

  static let groups = [list, panes, detail, form, map, lists, members, everywhere]

  /// The table in Markdown: for each screen its name, and a table of keys and actions.
  static var markdown: String {
    groups.map { group in
      let rows = group.rows.map { row in
        "| \(row.keys.map { "`\($0)`" }.joined(separator: " ")) | \(row.action) |"
      }
      return (["**\(group.title)**", "", "| key | action |", "| --- | --- |"] + rows).joined(separator: "\n") + "\n"
    }
    .joined(separator: "\n")
  }
}

extension KeyTable {
  private static let list = Group(
    title: "List",
    rows: [
      Row("↑", "↓", "j", "k", action: "select an item"),
      Row("PageUp", "PageDown", action: "move by a page"),
      Row("Home", "End", "g", "G", action: "go to the first or last"),
      Row("Tab", "[", "]", action: "go to another section"),
      Row("0-9", "#", action: "select an item by number"),
      Row("click", "wheel", action: "select an item, scroll"),
      Row("Space", action: "check or uncheck"),
      Row("Enter", action: "open the item"),
      Row("a", action: "add an item in a line"),
      Row("A", action: "add an item in a form"),
      Row("e", action: "edit the item"),
      Row("p", action: "postpone the item"),
      Row("S", action: "skip this occurrence"),
      Row("M", action: "move it to another list"),
      Row("d", action: "delete the item"),
      Row("D", action: "delete all, or all done"),
      Row("u", action: "undo the last change"),
      Row("/", action: "search as you type"),
      Row("f", action: "filter"),
      Row("s", action: "sort"),
      Row("r", action: "reverse the order"),
      Row("w", action: "show or hide what waits"),
      Row("m", action: "show the items on a map"),
      Row("n", action: "show the items nearby"),
      Row("L", action: "switch to another list"),
      Row("?", action: "show all keys"),
      Row("Esc", action: "end the search or filter"),
      Row("q", action: "quit"),
    ])

  static let panes = Group(
    title: "Wide window",
    rows: [
      Row("Tab", "Shift-Tab", action: "go to lists, items, item"),
      Row("↑", "↓", "j", "k", action: "select a list, or scroll"),
      Row("Home", "End", "g", "G", action: "go to the first or last"),
      Row("Enter", "→", "click", action: "show the list"),
      Row("Esc", "←", action: "go back to the items"),
    ])

  static let detail = Group(
    title: "Item",
    rows: [
      Row("↑", "↓", "wheel", action: "scroll"),
      Row("PageUp", "PageDown", action: "scroll by a page"),
      Row("Home", "End", action: "go to the start or end"),
      Row("Space", action: "check it, or the step"),
      Row("j", "k", "1-9", action: "select a step"),
      Row("e", action: "edit the item"),
      Row("S", action: "skip this occurrence"),
      Row("M", action: "move it to another list"),
      Row("d", action: "delete the item"),
      Row("u", action: "undo the last change"),
      Row("o", action: "open the web map"),
      Row("y", action: "copy the geo: URI"),
      Row("m", action: "show the item on a map"),
      Row("n", action: "show the items nearby"),
      Row("?", action: "show all keys"),
      Row("Esc", "q", "←", "Backspace", action: "go back"),
    ])

  private static let form = Group(
    title: "Form",
    rows: [
      Row("Tab", "Shift-Tab", action: "go to another field"),
      Row("↑", "↓", action: "go to a field or candidate"),
      Row("Enter", action: "go on; save in the address"),
      Row("Ctrl-S", action: "save"),
      Row("Esc", action: "cancel"),
      Row("Ctrl-A", "Ctrl-E", action: "go to the start or end"),
      Row("Ctrl-U", "Ctrl-K", action: "delete to the start or end"),
      Row("Ctrl-W", action: "delete a word"),
      Row("Ctrl-↑", "Ctrl-↓", action: "due: a day earlier, later"),
      Row("PageUp", "PageDown", action: "due: a week earlier, later"),
      Row("Ctrl-X", action: "due: no date"),
    ])

  static let map = Group(
    title: "Map",
    rows: [
      Row("↑", "↓", "←", "→", action: "move the map"),
      Row("h", "j", "k", "l", action: "move the map"),
      Row("+", "-", "wheel", action: "zoom"),
      Row("0", action: "show all items"),
      Row("Tab", "Shift-Tab", action: "center another item"),
      Row("Enter", action: "open the nearest item"),
      Row("click", action: "open an item, or center"),
      Row("?", action: "show all keys"),
      Row("Esc", "q", action: "go back"),
    ])

  static let lists = Group(
    title: "Lists",
    rows: [
      Row("↑", "↓", "j", "k", "wheel", action: "select a list"),
      Row("Home", "End", "g", "G", action: "go to the first or last"),
      Row("Enter", action: "show it, or move the item"),
      Row("n", action: "create a list"),
      Row("r", action: "rename the list"),
      Row("a", action: "accept the invitation"),
      Row("x", action: "leave the list, or decline"),
      Row("s", action: "share it, show its members"),
      Row("?", action: "show all keys"),
      Row("Esc", "q", action: "go back"),
    ])

  static let members = Group(
    title: "Members",
    rows: [
      Row("↑", "↓", "j", "k", "wheel", action: "select a member"),
      Row("Home", "End", "g", "G", action: "go to the first or last"),
      Row("a", action: "invite a user"),
      Row("e", action: "let the member edit"),
      Row("v", action: "let the member only view"),
      Row("d", action: "stop sharing with them"),
      Row("?", action: "show all keys"),
      Row("Esc", "q", action: "go back"),
    ])

  private static let everywhere = Group(
    title: "Everywhere",
    rows: [
      Row("Ctrl-G", action: "show the last messages"),
      Row("Ctrl-L", action: "redraw the window"),
      Row("Ctrl-Z", action: "suspend"),
    ])
}
