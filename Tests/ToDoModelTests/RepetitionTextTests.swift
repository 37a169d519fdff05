import Testing

@testable import ToDoModel

@Suite struct RepetitionTextTests {
  @Test(arguments: ["P1D", "P2W", "P11M", "P999Y"]) func interval_hasText(_ text: String) throws {
    #expect(try #require(Repetition.Interval(text)).description == text)
    #expect(Repetition.Rule(text)?.description == text)
  }

  @Test(arguments: [
    "", "P", "P0D", "P-1D", "P+1D", "P01D", "P1", "1D", "P1H", "P1D1W", "p1d", "P99999999999999999999D",
  ])
  func otherText_isNoInterval(_ text: String) { #expect(Repetition.Interval(text) == nil) }

  @Test func size_isThatOfTexts() {
    let repetition = Repetition(.afterDone(.init(3, .daily)), timeZone: "Europe/Berlin")
    #expect(repetition.size == Repetition.overhead + 16 && repetition.summary == "P3D Europe/Berlin")
  }
}
