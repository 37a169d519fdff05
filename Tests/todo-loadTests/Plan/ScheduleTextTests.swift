import Testing

@testable import todo_load

@Suite struct ScheduleTextTests {
  @Test func init_parsesEachShape() throws {
    #expect(try Schedule.Shape("const", rate: 100) == .constant(100))
    #expect(try Schedule.Shape("step:1000..10000/5", rate: nil) == .steps(from: 1000, to: 10_000, count: 5))
    #expect(try Schedule.Shape("line:0.5..1e3", rate: nil) == .line(from: 0.5, to: 1000))
  }

  @Test(
    arguments: [
      ("const", nil, "'--schedule const' requires '--rate'"),
      ("step:10..20/2", 5.0, "'--rate' and '--schedule step:10..20/2' both specify the rate; omit one"),
      ("step:10..20", nil, "'step:10..20' has no valid number of steps, 2 to 1000; write step:1000..10000/5"),
      ("step:10..20/1", nil, "'step:10..20/1' has no valid number of steps, 2 to 1000; write step:1000..10000/5"),
      ("line:10", nil, "'line:10' is not a valid schedule; write const, step:1000..10000/5 or line:1000..10000"),
      ("line:0..10", nil, "'line:0..10' is not a valid schedule; write const, step:1000..10000/5 or line:1000..10000"),
      (
        "line:1..2/3", nil, "'line:1..2/3' is not a valid schedule; write const, step:1000..10000/5 or line:1000..10000"
      ),
      ("sine:1..2", nil, "'sine:1..2' is not a valid schedule; write const, step:1000..10000/5 or line:1000..10000"),
    ] as [(String, Double?, String)])
  func init_whenTextIsInvalid_reportsReason(text: String, rate: Double?, reason: String) {
    #expect(throws: UsageError(reason)) { try Schedule.Shape(text, rate: rate) }
  }
}
