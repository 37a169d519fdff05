import Configuration
import Foundation
import Testing
import ToDoSMTP
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
  @Test func email_isSentByTheServerThatIsNamed() async throws {
    #expect(try await settings(.init(notify: true)).email == nil)
    let options = ServerSettings.Options(notify: true, smtp: "smtp://mail.example.org", smtpFrom: "todo@example.org")
    let email = try #require(try await settings(options).email)
    #expect(email.server == SMTPServer(host: "mail.example.org", port: 587, security: .startTLS))
    #expect(email.sender.description == "todo@example.org" && email.credentials == nil)
  }

  @Test func emailPassword_isReadFromAPrivateFile() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("password")
    let variables = [
      "TODO_SERVER_NOTIFY": "true", "TODO_SERVER_SMTP": "smtps://mail.example.org",
      "TODO_SERVER_SMTP_FROM": "todo@example.org", "TODO_SERVER_SMTP_USER": "todo",
      "TODO_SERVER_SMTP_PASSWORD_FILE": file,
    ]
    await expect("smtp-password-file", "does not exist") { try await settings(.init(), variables) }
    try Data("secret word\n".utf8).write(to: URL(filePath: file))
    try directory.setPermissions(of: file, to: 0o600)
    let email = try await settings(.init(), variables).email
    #expect(email?.credentials == SMTPServer.Credentials(name: "todo", password: "secret word"))
    try directory.setPermissions(of: file, to: 0o644)
    await expect("smtp-password-file", "cannot be used") { try await settings(.init(), variables) }
    try directory.setPermissions(of: file, to: 0o600)
    try Data("\n".utf8).write(to: URL(filePath: file))
    await expect("smtp-password-file", "contains no password") { try await settings(.init(), variables) }
  }

  @Test(
    arguments: [
      (.init(notify: true, smtpFrom: "a@b.c"), "smtp-from", "needs the option --smtp"),
      (.init(notify: true, smtpUser: "a"), "smtp-user", "needs the option --smtp"),
      (.init(notify: true, smtpPasswordFile: "a"), "smtp-password-file", "needs the option --smtp"),
      (.init(notify: true, smtp: "smtp://a"), "smtp", "needs the option --smtp-from"),
      (.init(notify: true, smtp: "mail", smtpFrom: "a@b.c"), "smtp", "is not a valid mail server"),
      (.init(notify: true, smtp: "smtp://ann:secret@mail", smtpFrom: "a@b.c"), "smtp", "is not a valid mail server"),
      (.init(notify: true, smtp: "smtp://a", smtpFrom: "a"), "smtp-from", "is not a valid address"),
      (.init(notify: true, smtp: "smtp://a", smtpFrom: "a@b.c", smtpUser: "a"), "smtp-user", "needs the option"),
      (
        .init(notify: true, smtp: "smtp://a", smtpFrom: "a@b.c", smtpPasswordFile: "a"), "smtp-password-file",
        "needs the option --smtp-user"
      ),
      (.init(smtp: "smtp://a", smtpFrom: "a@b.c"), "smtp", "needs the option --notify"),
    ] as [(ServerSettings.Options, String, String)])
  func emailSetting_whenInvalid_isNamed(_ options: ServerSettings.Options, _ name: String, _ reason: String) async {
    await expect(name, reason) { try await settings(options) }
  }

  private func expect(_ name: String, _ reason: String, _ body: () async throws -> ServerSettings) async {
    do {
      _ = try await body()
      Issue.record("the settings are accepted")
    } catch {
      #expect((error as? SettingError)?.name == name)
      #expect((error as? SettingError)?.reason.hasPrefix(reason) == true, "\(error)")
      #expect(!"\(error)".contains("secret"))
    }
  }

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
