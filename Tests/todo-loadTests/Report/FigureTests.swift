import Testing

@testable import todo_load

@Suite struct FigureTests {
  @Test(
    arguments: [
      (0, "0 ns"), (999, "999 ns"), (999.6, "1.00 µs"), (62_100, "62.1 µs"), (1_254_000, "1.25 ms"),
      (303_000_000, "303 ms"), (999_700_000, "1.00 s"), (61e9, "61.0 s"), (7200e9, "7200 s"),
    ] as [(Double, String)])
  func time_hasThreeSignificantDigits(nanoseconds: Double, text: String) {
    #expect(Figure.time(nanoseconds) == text)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567"), (-1000, "-1,000")])
  func count_hasThousandsSeparators(number: Int, text: String) {
    #expect(Figure.count(number) == text)
  }

  @Test(arguments: [(0, "0.0 %"), (0.5, "50.0 %"), (0.0005, "0.05 %"), (0.000_012_3, "0.0012 %")])
  func percent_whenShareIsSmall_hasSignificantDigits(share: Double, text: String) {
    #expect(Figure.percent(share) == text)
  }
}
