/// A drawing of dots, two to a character's width and four to its height, in the characters of U+2800...U+28FF.
///
/// Dots are counted from the upper left, x to the right and y downwards. What lies outside is not drawn.
struct BrailleCanvas: Equatable, Sendable {
  let columns: Int
  let rows: Int
  private var cells: [UInt8]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(0, columns), max(0, rows))
    cells = Array(repeating: 0, count: self.columns * self.rows)
  }

  var width: Int { columns * 2 }
  var height: Int { rows * 4 }
  var dotCount: Int { cells.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The character of a cell; `nil` where no dot is set.
  subscript(column: Int, row: Int) -> Character? {
    let bits = cells[row * columns + column]
    return bits == 0 ? nil : Character(Unicode.Scalar(0x2800 + UInt32(bits)) ?? " ")
  }

  mutating func set(x: Int, y: Int) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    cells[y / 4 * columns + x / 2] |= Self.bits[y % 4 * 2 + x % 2]
  }

  /// Draws what is inside of a line from one point to the other, after Bresenham.
  mutating func draw(from start: MapPoint, to end: MapPoint, with pen: inout Pen) {
    guard let (start, end) = Clipping(width: width, height: height).clip(start, end) else { return }
    var (x, y) = (Int(start.x.rounded()), Int(start.y.rounded()))
    let (endX, endY) = (Int(end.x.rounded()), Int(end.y.rounded()))
    let (dx, dy) = (abs(endX - x), -abs(endY - y))
    let (stepX, stepY) = (x < endX ? 1 : -1, y < endY ? 1 : -1)
    var error = dx + dy
    while x != endX || y != endY {
      if pen.stroke() { set(x: x, y: y) }
      let doubled = 2 * error
      if doubled >= dy {
        error += dy
        x += stepX
      }
      if doubled <= dx {
        error += dx
        y += stepY
      }
    }
    // The last dot is the next line's first, which a pen that counts must not count twice.
    if pen.isSolid { set(x: x, y: y) }
  }

  /// What a line is drawn with: all of its dots, or every so many.
  struct Pen {
    private let period: Int
    private var count = 0

    static let solid = Pen(period: 1)
    static let dotted = Pen(period: 3)

    private init(period: Int) { self.period = period }

    var isSolid: Bool { period == 1 }

    /// Whether the next dot is drawn.
    fileprivate mutating func stroke() -> Bool {
      defer { count = (count + 1) % period }
      return count == 0
    }
  }

  /// Unicode numbers the dots down the left column, down the right one, and then the fourth row.
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
}
