import Configuration
import ToDoModel
import ToDoSMTP
import ToDoSupport

/// The mail server that takes emails to users.
struct EmailSettings: Equatable {
  let server: SMTPServer
  /// The sender of the emails.
  let sender: EmailAddress
  let credentials: SMTPServer.Credentials?

  /// Reads the settings, and the password from its file. Returns `nil` if none is set.
  ///
  /// - Throws: `SettingError` for the first invalid setting, or if only some of them are set.
  init?(_ options: ServerSettings.Options, _ reader: ConfigReader) async throws {
    let server = try await reader.text(options.smtp, .smtp)
    let sender = try await reader.text(options.smtpFrom, .smtpFrom)
    let user = try await reader.text(options.smtpUser, .smtpUser)
    let passwordFile = try await reader.text(options.smtpPasswordFile, .smtpPasswordFile)
    guard let server else {
      let others = [("smtp-from", sender), ("smtp-user", user), ("smtp-password-file", passwordFile)]
      guard let other = others.first(where: { $0.1 != nil }) else { return nil }
      throw SettingError(name: other.0, value: "", reason: "needs the option --smtp")
    }
    guard let parsed = SMTPServer(server) else {
      // Without the value, which may contain a password.
      throw SettingError(
        name: "smtp", value: "", reason: "is not a valid mail server; use smtp://HOST[:PORT] or smtps://HOST[:PORT]")
    }
    guard let sender else { throw SettingError(name: "smtp", value: "", reason: "needs the option --smtp-from") }
    self.server = parsed
    do { self.sender = try EmailAddress(validating: sender) } catch {
      throw SettingError(name: "smtp-from", value: sender, reason: "is not a valid address: it \(error.reason)")
    }
    credentials = try Self.credentials(user, passwordFile)
  }

  private static func credentials(_ user: String?, _ file: String?) throws -> SMTPServer.Credentials? {
    guard user != nil || file != nil else { return nil }
    guard let user else {
      throw SettingError(name: "smtp-password-file", value: "", reason: "needs the option --smtp-user")
    }
    guard let file else {
      throw SettingError(name: "smtp-user", value: user, reason: "needs the option --smtp-password-file")
    }
    let text: String?
    do { text = try PrivateFile.read(file, followsLinks: true) } catch {
      throw SettingError(name: "smtp-password-file", value: file, reason: "cannot be used: \(error)")
    }
    guard var password = text else {
      throw SettingError(name: "smtp-password-file", value: file, reason: "does not exist")
    }
    if password.last?.isNewline == true { password.removeLast() }
    guard let credentials = SMTPServer.Credentials(name: user, password: password) else {
      throw SettingError(name: "smtp-password-file", value: file, reason: "contains no password, or the name is empty")
    }
    return credentials
  }
}
