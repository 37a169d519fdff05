import Testing

@testable import todo_load

@Suite struct StatusLineTests {
  @Test func text_showsProgress() {
    var progress = Progress()
    for _ in 0..<999 { progress.record(1_250_000, isError: false) }
    progress.record(1_250_000, isError: true)
    #expect(
      StatusLine.text(progress, at: 3 * .second, seconds: 0.5) == "3 s  2,000 per second, p99 1.25 ms, 1 error")
    #expect(StatusLine.text(Progress(), at: -1, seconds: 1) == "warm-up  0 per second, p99 0 ns, 0 errors")
  }
}
