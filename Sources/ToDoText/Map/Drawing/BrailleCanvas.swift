/// A drawing of dots in Braille characters (U+2800...U+28FF), each two dots wide and four dots high.
///
/// The origin is the upper left, with x to the right and y downwards. Dots outside the canvas are ignored.
package struct BrailleCanvas: Equatable, Sendable {
  let columns: Int
  let rows: Int
  private var cells: [UInt8]

  init(columns: Int, rows: Int) {
    (self.columns, self.rows) = (max(0, columns), max(0, rows))
    cells = Array(repeating: 0, count: self.columns * self.rows)
  }

  /// The width in dots.
  var width: Int { columns * 2 }
  /// The height in dots.
  var height: Int { rows * 4 }
  /// The number of dots that are set.
  var dotCount: Int { cells.reduce(0) { $0 + $1.nonzeroBitCount } }

  /// The character of a cell, or `nil` if no dot is set in it.
  subscript(column: Int, row: Int) -> Character? {
    let bits = cells[row * columns + column]
    return bits == 0 ? nil : Character(Unicode.Scalar(0x2800 + UInt32(bits)) ?? " ")
  }

  /// Sets a dot.
  mutating func set(x: Int, y: Int) {
    guard (0..<width).contains(x), (0..<height).contains(y) else { return }
    cells[y / 4 * columns + x / 2] |= Self.bits[y % 4 * 2 + x % 2]
  }

  /// Draws the part of a line that is inside the canvas, with Bresenham's algorithm.
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
    // The last dot is also the first dot of the next line. A dotted pen must not count it twice.
    if pen.isSolid { set(x: x, y: y) }
  }

  /// A pen that draws every dot of a line, or every nth one.
  struct Pen {
    private let period: Int
    private var count = 0

    static let solid = Pen(period: 1)
    static let dotted = Pen(period: 3)

    private init(period: Int) { self.period = period }

    var isSolid: Bool { period == 1 }

    /// Advances to the next dot, and returns whether to draw it.
    fileprivate mutating func stroke() -> Bool {
      defer { count = (count + 1) % period }
      return count == 0
    }
  }

  /// The bits of the dots. Unicode numbers the dots down the left column, down the right column, then along the fourth row.
  private static let bits: [UInt8] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]
}
