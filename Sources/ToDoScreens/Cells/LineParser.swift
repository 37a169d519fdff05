import ToDoModel
import ToDoText

/// Divides a line into the cells of a row.
///
/// The parser interprets the style sequences (SGR) that a `Palette` writes. Every other character that could control the
/// terminal becomes U+FFFD. A wide character that would cross the right edge becomes blanks.
struct LineParser {
  /// The cells so far. After `parse`, as many as there are columns.
  private(set) var cells: [Cell] = []
  private(set) var hasRightToLeft = false
  private var style = CellStyle.plain
  private let columns: Int

  init(columns: Int) {
    self.columns = max(0, columns)
    cells.reserveCapacity(self.columns)
  }

  /// Parses the line.
  mutating func parse(_ line: String) {
    let scalars = line.unicodeScalars
    var index = scalars.startIndex
    var hasRoom = true
    while hasRoom, index < scalars.endIndex {
      let scalar = scalars[index]
      let following = scalars.index(after: index)
      // Fast path: segmenting text into characters dominates the cost of a window.
      if let width = scalar.separateWidth, following == scalars.endIndex || scalars[following].isSeparate {
        if scalar.isRightToLeft { hasRightToLeft = true }
        hasRoom = append(.scalar(scalar), width: width)
        index = following
      } else if scalar == Self.escape, let end = applyStyle(scalars, from: following) {
        index = end
      } else if scalar.isTerminalControl {
        hasRoom = append(.scalar("\u{FFFD}"), width: 1)
        index = following
      } else {
        hasRoom = append(line[index])
        index = line.index(after: index)
      }
    }
    while cells.count < columns { cells.append(.blank) }
  }

  /// Appends a cluster of any width.
  ///
  /// - Returns: whether more text may fit.
  private mutating func append(_ cluster: Character) -> Bool {
    if cluster.unicodeScalars.contains(where: \.isRightToLeft) { hasRightToLeft = true }
    let width = cluster.displayWidth
    guard width == 0 else { return append(Cell.Text(cluster), width: width) }
    // The cluster belongs to the cluster before it. At the start of a line, it has nothing to modify.
    if let last = cells.lastIndex(where: { $0.width > 0 }) {
      cells[last].text = .cluster(cells[last].text.string + String(cluster))
    }
    return true
  }

  /// Appends a cluster of at least one column.
  ///
  /// - Returns: whether more text may fit.
  private mutating func append(_ text: Cell.Text, width: Int) -> Bool {
    guard cells.count + width <= columns, width <= Int8.max else {
      while cells.count < columns { cells.append(Cell(text: .scalar(" "), width: 1, style: style.ofBlank)) }
      return false
    }
    cells.append(Cell(text: text, width: Int8(width), style: text == .scalar(" ") ? style.ofBlank : style))
    if width > 1 { cells += repeatElement(.continuation(style), count: width - 1) }
    return true
  }

  private static let escape: Unicode.Scalar = "\u{1B}"

  /// Applies a style sequence.
  ///
  /// An extended color (38 and 48) ends it, because the arguments of the color could be mistaken for parameters.
  ///
  /// - Parameter start: the index behind the escape character.
  /// - Returns: the index behind the sequence, or `nil` if it is not a style sequence.
  private mutating func applyStyle(_ scalars: String.UnicodeScalarView, from start: String.Index) -> String.Index? {
    guard start < scalars.endIndex, scalars[start] == "[" else { return nil }
    var (changed, parameter, isExtended) = (style, 0, false)
    var index = scalars.index(after: start)
    while index < scalars.endIndex {
      let scalar = scalars[index]
      index = scalars.index(after: index)
      switch scalar {
      // No parameter is greater, and the limit prevents overflow.
      case "0"..."9": parameter = min(parameter * 10 + Int(scalar.value) - 0x30, 999)
      case ";", "m":
        isExtended = isExtended || parameter == 38 || parameter == 48
        if !isExtended { changed.apply(parameter) }
        parameter = 0
        guard scalar == "m" else { continue }
        style = changed
        return index
      default: return nil
      }
    }
    return nil
  }
}
