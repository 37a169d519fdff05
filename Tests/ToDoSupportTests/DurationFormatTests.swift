import Testing
import ToDoSupport

@Suite struct DurationFormatTests {
  private let format = DurationFormat(units: ["ms", "s", "d"], upTo: .seconds(3600 * 24 * 365))
  private let decimal = DurationFormat(
    units: ["ns", "us", "µs", "μs", "m", "h"], hasFractions: true, upTo: .seconds(3600))

  @Test(
    arguments: [
      ("0s", .zero), ("7ms", .milliseconds(7)), ("30s", .seconds(30)), ("365d", .seconds(365 * 86_400)),
    ] as [(String, Duration)])
  func parse_whenNumberIsWhole_appliesUnit(text: String, duration: Duration) {
    #expect(format.parse(text) == duration)
  }

  @Test(
    arguments: [
      ("7ns", .nanoseconds(7)), ("1.5us", .nanoseconds(1500)), ("2µs", .microseconds(2)), ("2μs", .microseconds(2)),
      (".5m", .seconds(30)), ("1h", .seconds(3600)), ("1.0016us", .nanoseconds(1002)),
    ] as [(String, Duration)])
  func parse_whenNumberHasAFraction_roundsToNanoseconds(text: String, duration: Duration) {
    #expect(decimal.parse(text) == duration)
  }

  @Test(
    arguments: [
      "", "10", "s", "-1s", "+1s", "1.5s", "1 s", "1S", "1e3s", "nans", "infs", "366d", "5m", "99999999999999999999d",
      "１s",
    ])
  func parse_whenTextHasAnotherForm_returnsNil(text: String) {
    #expect(format.parse(text) == nil)
  }

  @Test(arguments: [".", ".h", "1.2.3h", "1.01h", "3600.1s", "1ms"])
  func parse_whenFractionIsInvalid_returnsNil(text: String) {
    #expect(decimal.parse(text) == nil)
  }
}
