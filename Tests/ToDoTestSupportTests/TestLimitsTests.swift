import Testing
import ToDoTestSupport

/// The limits on waits, which follow those of suites.
struct TestLimitsTests {
  @Suite(.unitTimeLimited) struct UnitTests {
    @Test func wait_isAThirdOfTheTimeLimit() async {
      #expect(TestLimits.wait == .seconds(40))
      #expect(await Task { TestLimits.wait }.value == .seconds(40))
    }
  }

  @Suite(.timeLimited) struct OtherTests {
    @Test func wait_isAThirdOfTheTimeLimit() async {
      #expect(TestLimits.wait == .seconds(300))
      #expect(await Task.detached { TestLimits.wait }.value == .seconds(300))
    }
  }
}
