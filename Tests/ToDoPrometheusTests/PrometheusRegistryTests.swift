import CoreMetrics
import Dispatch
import Testing
import ToDoPrometheus
import ToDoTestSupport

/// The metrics of a process as text.
@Suite(.unitTimeLimited) struct PrometheusRegistryTests {
  private let registry = PrometheusRegistry([
    "calls": .init("The calls that have ended"), "duration": .init("The time of a call", bounds: [0.001, 0.1]),
    "writes": .init("A backslash \\ and\na line", bounds: [1, 10]), "open": .init("The open connections"),
  ])

  @Test func registry_withoutMetrics_isEmpty() { #expect(registry.text == "") }

  @Test func counter_hasSuffix_andLabels() {
    Counter(label: "calls", dimensions: [("method", "a/B"), ("code", "OK")], factory: registry).increment(by: 2)
    Counter(label: "calls", dimensions: [("method", "a/B"), ("code", "NO")], factory: registry).increment(by: 0)
    #expect(
      registry.text == """
        # HELP calls_total The calls that have ended
        # TYPE calls_total counter
        calls_total{method="a/B",code="OK"} 2
        calls_total{method="a/B",code="NO"} 0

        """)
  }

  @Test func meter_isGauge() {
    let open = Meter(label: "open", dimensions: [], factory: registry)
    open.increment(by: 3)
    open.decrement(by: 0.5)
    #expect(registry.text.hasSuffix("# TYPE open gauge\nopen 2.5\n"))
    open.set(-1)
    #expect(registry.text.hasSuffix("\nopen -1\n"))
    open.set(Double.infinity)
    #expect(registry.text.hasSuffix("\nopen +Inf\n"))
  }

  @Test func timer_isHistogramInSeconds() {
    let timer = CoreMetrics.Timer(label: "duration", dimensions: [("method", "a")], factory: registry)
    for nanoseconds: Int64 in [1_000_000, 1_000_001, 250_000_000] { timer.recordNanoseconds(nanoseconds) }
    #expect(
      registry.text == """
        # HELP duration_seconds The time of a call
        # TYPE duration_seconds histogram
        duration_seconds_bucket{method="a",le="0.001"} 1
        duration_seconds_bucket{method="a",le="0.1"} 2
        duration_seconds_bucket{method="a",le="+Inf"} 3
        duration_seconds_sum{method="a"} 0.252000001
        duration_seconds_count{method="a"} 3

        """)
  }

  @Test func recorder_isHistogram_andHelpIsEscaped() {
    Recorder(label: "writes", dimensions: [], aggregate: true, factory: registry).record(7)
    #expect(
      registry.text == #"""
        # HELP writes A backslash \\ and\na line
        # TYPE writes histogram
        writes_bucket{le="1"} 0
        writes_bucket{le="10"} 1
        writes_bucket{le="+Inf"} 1
        writes_sum 7
        writes_count 1

        """#)
  }

  @Test func label_isEscaped_andNameIsValid() {
    Counter(label: "a.b-c", dimensions: [("x y", "\"\\\n")], factory: registry).increment()
    Counter(label: "1", dimensions: [], factory: registry).increment()
    #expect(registry.text.contains(#"a_b_c_total{x_y="\"\\\n"} 1"#))
    #expect(registry.text.contains("\n_1_total 1\n"))
  }

  @Test func metric_whenMadeAgain_isTheSame() {
    for _ in 0..<2 { Counter(label: "calls", dimensions: [("code", "OK")], factory: registry).increment() }
    #expect(registry.text.hasSuffix("\ncalls_total{code=\"OK\"} 2\n"))
    // Nothing else may have the same name.
    Meter(label: "calls", dimensions: [("code", "OK")], factory: registry).set(9)
    #expect(registry.text.hasSuffix("\ncalls_total{code=\"OK\"} 2\n"))
  }

  @Test func family_withManySeries_omitsThoseWithoutCalls() {
    for number in 0..<65 {
      Counter(label: "calls", dimensions: [("code", "\(number)")], factory: registry).increment(by: number == 7 ? 1 : 0)
    }
    #expect(registry.text.hasSuffix("# TYPE calls_total counter\ncalls_total{code=\"7\"} 1\n"))
  }

  @Test func values_fromManyThreads_areAllCounted() {
    let counter = Counter(label: "calls", dimensions: [], factory: registry)
    let open = Meter(label: "open", dimensions: [], factory: registry)
    let timer = CoreMetrics.Timer(label: "duration", dimensions: [], factory: registry)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<1000 {
        counter.increment()
        open.increment(by: 1)
        timer.recordNanoseconds(1_000_000_000)
      }
    }
    for line in ["calls_total 4000", "open 4000", "duration_seconds_sum 4000", "duration_seconds_count 4000"] {
      #expect(registry.text.contains("\n\(line)\n"))
    }
  }
}
