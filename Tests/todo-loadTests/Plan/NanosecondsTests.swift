import Testing

@testable import todo_load

@Suite struct NanosecondsTests {
  @Test(
    arguments: [
      ("250us", 250_000), ("250µs", 250_000), ("1.5ms", 1_500_000), ("10s", 10_000_000_000), ("2m", 120_000_000_000),
      ("1h", 3_600_000_000_000), ("7ns", 7), ("0s", 0),
    ] as [(String, Nanoseconds)])
  func text_appliesUnit(text: String, time: Nanoseconds) {
    #expect(Nanoseconds(text: text) == time)
  }

  @Test(arguments: ["", "10", "s", "-1s", "1.2.3s", "10 s", "1d", "25h", "1e3s", "nans", "infs"])
  func text_whenInvalid_returnsNil(text: String) {
    #expect(Nanoseconds(text: text) == nil)
  }
}
