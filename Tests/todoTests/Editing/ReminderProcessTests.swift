import Testing
import ToDoTestSupport

@testable import todo

/// Programs that tell of reminders, as real processes.
@Suite(.timeLimited) struct ReminderProcessTests {
  private func failure(_ arguments: [String], limit: Duration = ReminderProcess.limit) async throws -> String {
    let failure = try await #require(throws: Failure.self) {
      try await ReminderProcess.run(arguments, [:], limit: limit)
    }
    #expect(failure.reason == "REMINDER_FAILED")
    return failure.message
  }

  @Test func program_hasTheVariables_andThoseOfThisProcess() async throws {
    let script = "test \"$TODO_TITLE\" = 'a \"b' && test \"$HOME$PATH\" != '' && ! read line"
    try await ReminderProcess.run(["sh", "-c", script], ["TODO_TITLE": "a \"b"])
  }

  @Test func program_replacesVariablesOfThisProcess() async throws {
    try await ReminderProcess.run(["sh", "-c", "test \"$HOME\" = /elsewhere"], ["HOME": "/elsewhere"])
  }

  @Test func program_thatFails_isAFailure() async throws {
    #expect(try await failure(["sh", "-c", "exit 3"]) == "'sh' exited with status 3")
    #expect(try await failure(["sh", "-c", "kill -TERM $$"]) == "'sh' was ended by signal 15")
    #expect(try await failure(["/nonexistent/program"]).hasPrefix("'/nonexistent/program' cannot be started: "))
  }

  @Test func program_thatTakesTooLong_isEndedWithItsChildren() async throws {
    let message = try await failure(["sh", "-c", "sleep 1000 & wait"], limit: .milliseconds(50))
    #expect(message == "'sh' took longer than 0 s")
  }
}
