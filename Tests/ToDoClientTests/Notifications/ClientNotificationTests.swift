import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// The targets of notifications as a client of an earlier server sees them.
@Suite(.timeLimited) struct ClientNotificationTests {
  @Test func everyMethod_ofEarlierServer_throwsNotificationsOff() async throws {
    try await TestServer.with(MethodTable([])) { server in
      let client = server.client(TestClient.configuration())
      let id = NotificationTargetID()
      await #expect(throws: ToDoError.notificationsOff) {
        try await client.addNotificationTarget(NewNotificationTarget(kind: .ntfy, url: "https://ntfy.example/t"))
      }
      await #expect(throws: ToDoError.notificationsOff) { try await client.notificationTargets() }
      await #expect(throws: ToDoError.notificationsOff) { try await client.removeNotificationTarget(id) }
      await #expect(throws: ToDoError.notificationsOff) { try await client.testNotificationTarget(id) }
      await client.close()
    }
  }
}
