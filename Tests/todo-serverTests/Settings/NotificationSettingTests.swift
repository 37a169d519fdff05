import Configuration
import Testing
import ToDoTestSupport

@testable import todo_server

/// Whether the server sends reminders, and where.
@Suite(.timeLimited) struct NotificationSettingTests {
  private func settings(
    _ options: ServerSettings.Options = .init(), _ variables: [String: String] = [:]
  ) async throws -> ServerSettings {
    try await ServerSettings(options, environment: EnvironmentVariablesProvider(environmentVariables: variables))
  }

  @Test func notifications_areOffByDefault() async throws {
    let settings = try await settings()
    #expect(!settings.sendsNotifications && !settings.permitsPrivateNotifications)
  }

  @Test func privateAddresses_needNotifications() async throws {
    let error = SettingError(name: "notify-private", value: "", reason: "needs the option --notify")
    await #expect(throws: error) { try await settings(.init(notifyPrivate: true)) }
    await #expect(throws: error) { try await settings(.init(), ["TODO_SERVER_NOTIFY_PRIVATE": "true"]) }
  }

  #if Nominatim
  @Test func notifications_areOn_whereverTheyAreSet() async throws {
    let options = try await settings(.init(notify: true))
    #expect(options.sendsNotifications && !options.permitsPrivateNotifications)
    let variables = ["TODO_SERVER_NOTIFY": "true", "TODO_SERVER_NOTIFY_PRIVATE": "true"]
    let environment = try await settings(.init(), variables)
    #expect(environment.sendsNotifications && environment.permitsPrivateNotifications)
  }
  #else
  @Test func notifications_whenBuiltWithoutHTTP_areRejected() async throws {
    let remedy =
      "this program was built without an HTTP client; build it with the default traits, or with '--traits Nominatim'"
    await #expect(throws: SettingError(name: "notify", value: "", reason: "cannot be used: \(remedy)")) {
      try await settings(.init(notify: true))
    }
  }
  #endif
}
