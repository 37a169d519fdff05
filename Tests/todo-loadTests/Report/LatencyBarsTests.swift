import Testing

@testable import todo_load

@Suite struct LatencyBarsTests {
  @Test func bars_countLatenciesBetweenBounds() {
    let bars = LatencyBars(.of([10: 1, 100: 2, 149: 3, 150: 4])).bars
    #expect(bars.map(\.from) == [0, 100, 150])
    #expect(bars.map(\.to) == [100, 150, 200])
    #expect(bars.map(\.count) == [1, 5, 4])
  }

  @Test func bars_haveNoGaps() {
    let bars = LatencyBars(.of([200: 1, 20_000_000: 1])).bars
    #expect(zip(bars, bars.dropFirst()).allSatisfy { $0.to == $1.from })
    #expect(bars.first?.from == 200)
    #expect(bars.last?.count == 1)
  }

  @Test func lines_areProportionalToCounts() {
    let lines = LatencyBars(.of([100: 100, 160: 50, 210: 1])).lines(width: 4)
    #expect(
      lines == [
        "    100 ns – 150 ns  ████     66.2 %", "    150 ns – 200 ns  ██       33.1 %",
        "    200 ns – 300 ns  ▏         0.7 %",
      ])
  }

  @Test func lines_whenThereAreNoLatencies_areEmpty() {
    #expect(LatencyBars(.of([:])).lines(width: 4) == [])
  }
}
