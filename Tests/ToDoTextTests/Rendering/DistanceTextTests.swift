import Testing

@testable import ToDoText

@Suite struct DistanceTextTests {
  @Test(arguments: [
    (0, "0 m"), (999.4, "999 m"), (999.9, "1.0 km"), (1234, "1.2 km"), (9_960, "10 km"), (20_037_508.4, "20038 km"),
  ])
  func distanceText_isRounded(_ meters: Double, _ text: String) {
    #expect(meters.distanceText == text)
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300, -1, -1e300, .greatestFiniteMagnitude])
  func distanceText_whenDistanceIsImpossible_isQuestionMark(_ meters: Double) {
    #expect(meters.distanceText == "?")
  }
}
