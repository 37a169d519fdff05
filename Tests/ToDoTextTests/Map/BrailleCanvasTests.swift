import Testing

@testable import ToDoText

@Suite struct BrailleCanvasTests {
  private func text(_ canvas: BrailleCanvas) -> [String] {
    (0..<canvas.rows).map { row in String((0..<canvas.columns).map { canvas[$0, row] ?? " " }) }
  }

  private func drawn(_ start: (Double, Double), _ end: (Double, Double), columns: Int = 4, rows: Int = 2)
    -> BrailleCanvas
  {
    var canvas = BrailleCanvas(columns: columns, rows: rows)
    var pen = BrailleCanvas.Pen.solid
    canvas.draw(from: MapPoint(x: start.0, y: start.1), to: MapPoint(x: end.0, y: end.1), with: &pen)
    return canvas
  }

  /// Unicode numbers the dots 1, 2, 3 and 7 on the left, and 4, 5, 6 and 8 on the right.
  @Test(arguments: zip(Array("⠁⠈⠂⠐⠄⠠⡀⢀"), 0...7))
  func set_setsDotOfUnicodeNumber(character: Character, dot: Int) {
    var canvas = BrailleCanvas(columns: 1, rows: 1)
    canvas.set(x: dot % 2, y: dot / 2)
    #expect(canvas[0, 0] == character)
    #expect(canvas.dotCount == 1)
  }

  @Test func set_whenOutsideCanvas_hasNoEffect() {
    var canvas = BrailleCanvas(columns: 2, rows: 1)
    for (x, y) in [(-1, 0), (0, -1), (4, 0), (0, 4), (.max, .max), (.min, .min)] { canvas.set(x: x, y: y) }
    #expect(canvas.dotCount == 0)
    #expect(canvas[0, 0] == nil)
  }

  @Test func draw_connectsPoints() {
    #expect(text(drawn((0, 0), (7, 0))) == ["⠉⠉⠉⠉", "    "])
    #expect(text(drawn((0, 0), (0, 7))) == ["⡇   ", "⡇   "])
    #expect(text(drawn((0, 7), (7, 0))) == ["  ⡠⠊", "⡠⠊  "])
    #expect(drawn((3, 3), (3, 3)).dotCount == 1)
  }

  @Test func draw_alongAxis_isIndependentOfDirection() {
    #expect(drawn((7, 3), (0, 3)) == drawn((0, 3), (7, 3)))
    #expect(drawn((2, 7), (2, 0)) == drawn((2, 0), (2, 7)))
  }

  @Test func draw_whenPartiallyOutside_drawsVisiblePart() {
    #expect(drawn((-100, 2), (100, 2)) == drawn((0, 2), (7, 2)))
    #expect(drawn((-7, -7), (14, 14)) == drawn((0, 0), (7, 7)))
  }

  @Test(arguments: [
    ((-5.0, -1.0), (20.0, -1.0)), ((-10.0, 3.0), (3.0, -10.0)), ((.nan, 1.0), (3.0, 3.0)),
    ((1.0, 1.0), (.infinity, 3.0)),
    ((-1e308, 1.0), (1e308, 1.0)),
  ])
  func draw_whenOutsideOrNotFinite_drawsNothing(start: (Double, Double), end: (Double, Double)) {
    #expect(drawn(start, end).dotCount == 0)
  }

  @Test func draw_whenEndsAreVeryFar_staysInside() {
    #expect(drawn((-1e300, 3), (4, 3)).dotCount <= 8)
    #expect(drawn((3, 3), (1e200, 1e200)).dotCount <= 8)
  }

  @Test func draw_whenDotted_continuesPatternInNextLine() {
    var canvas = BrailleCanvas(columns: 6, rows: 1)
    var pen = BrailleCanvas.Pen.dotted
    for x in 0..<11 {
      canvas.draw(from: MapPoint(x: Double(x), y: 0), to: MapPoint(x: Double(x + 1), y: 0), with: &pen)
    }
    #expect(text(canvas) == ["⠁⠈ ⠁⠈ "])
  }

  @Test func canvas_whenEmpty_ignoresDots() {
    #expect(drawn((0, 0), (5, 5), columns: 0, rows: 0).dotCount == 0)
    #expect(BrailleCanvas(columns: -1, rows: 3).columns == 0)
  }
}
