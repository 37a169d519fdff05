import Testing

@testable import ToDoText

@Suite struct ScaleBarTests {
  @Test(arguments: [
    (5.0, 20, "├──────────────────┤ 100 km"), (4.9, 20, "├────────┤ 50 km"), (7.5, 20, "├───────────┤ 100 km"),
    (0.05, 20, "├──────────────────┤ 1 km"), (0.04, 20, "├───────────┤ 500 m"), (400, 10, "├───┤ 2,000 km"),
    (0.001, 3, "├┤ 2 m"),
  ])
  func text_containsRoundDistanceWithinLimit(kilometersPerColumn: Double, limit: Int, text: String) {
    #expect(ScaleBar(kilometersPerColumn: kilometersPerColumn, limit: limit)?.text == text)
  }

  @Test(arguments: [(5.0, 2), (0.0, 20), (1e-9, 20), (-1.0, 20), (.infinity, 20), (.nan, 20)])
  func bar_whenScaleIsInvalid_isNil(kilometersPerColumn: Double, limit: Int) {
    #expect(ScaleBar(kilometersPerColumn: kilometersPerColumn, limit: limit) == nil)
  }

  @Test func bar_neverExceedsLimit() throws {
    for step in 1...400 {
      let bar = try #require(ScaleBar(kilometersPerColumn: Double(step) * 0.037, limit: 20))
      #expect(bar.text.prefix { $0 != " " }.count <= 20)
    }
  }
}
