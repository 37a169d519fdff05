import Testing
import ToDoTestSupport

/// The limits on waits, which follow those of suites.
struct TestLimitsTests {
  @Suite(.unitTimeLimited) struct UnitTests {
    @Test func wait_isAThirdOfTheTimeLimit() async {
      #expect(TestLimits.wait == .seconds(100))
      #expect(await Task { TestLimits.wait }.value == .seconds(100))
    }
  }

  @Suite(.timeLimited) struct OtherTests {
    @Test func wait_isAThirdOfTheTimeLimit() async {
      #expect(TestLimits.wait == .seconds(300))
      #expect(await Task.detached { TestLimits.wait }.value == .seconds(300))
    }
  }
}
