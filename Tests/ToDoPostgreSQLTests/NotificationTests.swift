#if PostgreSQL
import Dispatch
import ToDoPostgreSQL
import ToDoTestPostgreSQL
import Testing
import ToDoTestSupport

@Suite(.blocking) struct NotificationTests {
  private let listener: PostgreSQLConnection
  private let sender: PostgreSQLConnection

  init() throws {
    let database = try PrivatePostgreSQL.run().makeDatabase()
    listener = try PostgreSQLConnection(ConnectionSettings(database))
    sender = try PostgreSQLConnection(ConnectionSettings(database))
    try listener.execute("LISTEN changes")
  }

  private func notify(_ payload: String) throws {
    var parameters = Parameters()
    parameters.append(payload)
    _ = try sender.run("SELECT pg_notify('changes', $1)", parameters)
  }

  @Test func notifications_whenSent_haveChannelPayloadAndSender() throws {
    try notify("a\nb")
    let notifications = try listener.notifications(within: .seconds(60))
    #expect(notifications.map(\.channel) == ["changes"])
    #expect(notifications.map(\.payload) == ["a\nb"])
    #expect(notifications.map(\.processID) == [sender.backendProcessID])
  }

  @Test func notifications_whenReceivedWithResults_areReturnedLater() throws {
    try notify("1")
    try notify("2")
    _ = try listener.run("SELECT 1")
    #expect(try listener.notifications(within: .seconds(60)).map(\.payload) == ["1", "2"])
    #expect(try listener.notifications(within: .zero).isEmpty)
  }

  @Test func notifications_whenNoneAreSent_endAtDeadline() throws {
    let clock = ContinuousClock()
    let start = clock.now
    #expect(try listener.notifications(within: .milliseconds(100)).isEmpty)
    #expect(clock.now - start >= .milliseconds(100))
  }

  @Test func interrupt_duringWait_endsIt() throws {
    let interrupter = listener.interrupter
    let clock = ContinuousClock()
    let start = clock.now
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { interrupter.interrupt() }
    #expect(try listener.notifications(within: .seconds(60)).isEmpty)
    #expect(clock.now - start < .seconds(30))
  }

  @Test func interrupt_beforeWait_endsItOnce() throws {
    listener.interrupter.interrupt()
    listener.interrupter.interrupt()
    #expect(try listener.notifications(within: .seconds(60)).isEmpty)
    try notify("next")
    #expect(try listener.notifications(within: .seconds(60)).map(\.payload) == ["next"])
  }
}
#endif
