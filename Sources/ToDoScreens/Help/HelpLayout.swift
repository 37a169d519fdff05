import ToDoText

/// The table of keys in one column, or in two columns if the window is wide. In a narrow window, the action of a key is on a
/// second line.
struct HelpLayout {
  let columns: Int

  var lines: [StyledText] {
    let (left, right) = sides
    guard !right.isEmpty else { return left.map { $0.text(columns) } }
    return (0..<max(left.count, right.count)).map { row in
      let first = row < left.count ? left[row] : Line()
      var line = first.text(Self.blockWidth)
      guard row < right.count, right[row].width > 0 else { return line }
      line.append(blanks: Self.blockWidth + Self.gap - first.width)
      line.append(right[row].text(Self.blockWidth))
      return line
    }
  }

  /// Returns the index of a group's first line.
  func row(of group: KeyTable.Group) -> Int? {
    let (left, right) = sides
    return (left.firstIndex { $0.heading == group.title }) ?? right.firstIndex { $0.heading == group.title }
  }

  /// The first column's lines, and those of the second one, if there is room for two.
  private var sides: (left: [Line], right: [Line]) {
    let blocks = KeyTable.groups.map(block)
    guard columns >= 2 * Self.blockWidth + Self.gap else { return (Self.joined(blocks), []) }
    return Self.balanced(blocks)
  }

  /// A line before it is styled.
  private struct Line {
    var heading = ""
    var keys = ""
    var action = ""

    var width: Int { heading.displayWidth + keys.displayWidth + action.displayWidth }

    func text(_ limit: Int) -> StyledText {
      guard width <= limit else { return StyledText((heading + keys + action).truncated(toWidth: limit)) }
      return StyledText(heading, .heading) + StyledText(keys, .id) + StyledText(action)
    }
  }

  private static let indent = 2
  private static let gap = 2
  private static let keyWidth = KeyTable.groups.flatMap(\.rows).map(\.keyText.displayWidth).max() ?? 0
  private static let actionWidth = KeyTable.groups.flatMap(\.rows).map(\.action.displayWidth).max() ?? 0
  /// The width of keys and their actions on the same line.
  private static let blockWidth = indent + keyWidth + gap + actionWidth

  /// Returns the heading and the keys of a screen.
  private func block(_ group: KeyTable.Group) -> [Line] {
    let indent = String(repeating: " ", count: Self.indent)
    let rows = group.rows.flatMap { row in
      if columns < Self.blockWidth {
        return [Line(keys: indent + row.keyText), Line(action: indent + indent + row.action)]
      }
      return [Line(keys: indent + row.keyText.padded(toWidth: Self.keyWidth + Self.gap), action: row.action)]
    }
    return [Line(heading: group.title)] + rows
  }

  /// Returns the lines of blocks, separated by empty lines.
  private static func joined(_ blocks: some Collection<[Line]>) -> [Line] { Array(blocks.joined(separator: [Line()])) }

  /// Returns two columns of blocks in order, as equally long as possible.
  private static func balanced(_ blocks: [[Line]]) -> (left: [Line], right: [Line]) {
    let divisions = (1...max(1, blocks.count)).map { count in
      (left: joined(blocks.prefix(count)), right: joined(blocks.dropFirst(count)))
    }
    let best = divisions.min { first, second in
      max(first.left.count, first.right.count) < max(second.left.count, second.right.count)
    }
    return best ?? ([], [])
  }
}
