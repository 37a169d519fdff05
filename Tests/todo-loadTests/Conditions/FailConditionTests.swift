import Testing

@testable import todo_load

@Suite struct FailConditionTests {
  @Test(arguments: [
    ("p99>5ms", true), ("p99 > 10ms", false), ("p50<=1ms", true), ("p50<1ms", false), ("p50>=1000us", true),
    ("p99.99>1s", false), ("max>8ms", true), ("mean>1ms", true), ("errors>0", true), ("errors>2", false),
    ("error-rate>0.1%", true), ("error-rate>0.002", false), ("rate<100", false), ("rate<=100", true),
  ])
  func condition_holds(text: String, holds: Bool) throws {
    #expect(try FailCondition(text).holds(for: .sample) == holds)
  }

  @Test func explanation_containsMeasuredValue() throws {
    #expect(try FailCondition("p99>5ms").explanation(.sample) == "p99>5ms: p99 was 6.25 ms")
    #expect(try FailCondition("error-rate>0.1%").explanation(.sample) == "error-rate>0.1%: error-rate was 0.2 %")
    #expect(try FailCondition("rate<=100").explanation(.sample) == "rate<=100: rate was 100")
  }

  @Test func condition_whenNoRequestCompleted_holds() throws {
    var report = LoadReport.sample
    (report.requests, report.fromDue) = (0, LatencySummary())
    #expect(try FailCondition("p99>5ms").holds(for: report))
    #expect(try FailCondition("p99>5ms").explanation(report) == "p99>5ms: no request completed")
    #expect(try FailCondition("rate<1").holds(for: report))
  }

  @Test(arguments: [
    ("", "'' is not a valid condition; write a metric, <, <=, > or >=, and a value, as in 'p99>5ms'"),
    ("p99=5ms", "'p99=5ms' is not a valid condition; write a metric, <, <=, > or >=, and a value, as in 'p99>5ms'"),
    (
      "p98>5ms",
      "unknown metric 'p98' in 'p98>5ms'; valid metrics are p50, p90, p99, p99.9, p99.99, max, mean, errors, error-rate, rate"
    ),
    ("p99>5", "invalid value '5' in 'p99>5'; p99 needs a time with its unit, as in 500us, 5ms or 1s"),
    ("p99>", "invalid value '' in 'p99>'; p99 needs a time with its unit, as in 500us, 5ms or 1s"),
    ("errors>x", "invalid value 'x' in 'errors>x'; errors needs a number"),
    ("error-rate>-1%", "invalid value '-1%' in 'error-rate>-1%'; error-rate needs a share, as in 0.001 or 0.1%"),
  ])
  func init_whenTextIsInvalid_reportsReason(text: String, reason: String) {
    #expect(throws: UsageError(reason)) { try FailCondition(text) }
  }
}
