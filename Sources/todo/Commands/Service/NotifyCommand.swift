import ArgumentParser
import ToDoModel
import ToDoRPC
import ToDoSupport
import ToDoText

/// `todo notify`
struct NotifyCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify", abstract: "Choose where the server sends your reminders.",
    usage: """
      todo notify [<options>]
      todo notify add ntfy <url> [--secret-file <file>] [<options>]
      todo notify add webhook <url> [--secret-file <file>] [<options>]
      todo notify add email <address> [<options>]
      todo notify confirm <number> <code> [<options>]
      todo notify test [<number>] [<options>]
      todo notify remove <number> [<options>]
      """,
    discussion: """
      Without a change, lists your targets. A server sends each reminder of your lists to all of them, once. The list \
      shows only the host of a target, because whoever knows the whole URL can read or send messages. With '-' as <url>, \
      'add' reads it from standard input, so that it is in no history of a shell and no list of processes.

      'ntfy' posts to a topic of an ntfy server, such as https://ntfy.sh/your-secret-topic; its secret is an access \
      token. 'webhook' posts JSON that is signed as Standard Webhooks describes; without a secret, the server makes one, \
      which is printed only once. 'email' sends a message with a code to the address, and reminders only after 'confirm' \
      with this code. 'test' sends a test message to one target, or to all.

      The operator of the server has to turn notifications on. 'todo remind' tells of reminders on this machine.
      """)

  @Argument(
    help: ArgumentHelp("'add', 'confirm', 'test' or 'remove', and what it needs.", valueName: "change> <kind> <url"))
  var words: [UserText] = []

  @Option(
    help: ArgumentHelp("A file with the secret of the new target, or '-' for standard input.", valueName: "file"),
    completion: .file())
  var secretFile: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard let first = words.first?.text else {
      if secretFile != nil { throw ValidationError("'--secret-file' needs 'todo notify add'") }
      return
    }
    guard let change = Change(rawValue: first) else {
      throw ValidationError("unknown change '\(first.escapingControls())'; write add, confirm, test or remove")
    }
    if secretFile != nil, change != .add { throw ValidationError("'--secret-file' needs 'todo notify add'") }
    guard change.counts.contains(words.count - 1) else {
      throw ValidationError("'todo notify \(change.rawValue)' needs \(change.needs)")
    }
  }

  func run(in session: Session) async throws {
    try session.rejectListOption("does not apply to 'todo notify', because reminders of all lists are sent")
    if case .embedded = try session.selection() {
      throw Failure.usage(
        "notifications need a server; 'todo remind' tells of reminders on this machine",
        reason: "NOTIFICATIONS_NOT_SUPPORTED")
    }
    let words = words.map(\.text)
    let change = words.first.flatMap(Change.init)
    let new = change == .add ? try newTarget(kind: words[1], url: words[2], in: session) : nil
    try await session.withConnection(selectingList: false) { connection in
      guard let service = connection.notifications else { throw ToDoError.notificationsOff }
      let targets = NotifyActions(session: session, service: service)
      switch change {
      case nil: try await targets.show()
      case .add: if let new { try await targets.add(new) }
      case .confirm: try await targets.confirm(words[1], code: words[2])
      case .test: try await targets.test(words.count > 1 ? words[1] : nil)
      case .remove: try await targets.remove(words[1])
      }
    }
  }

  private func newTarget(kind text: String, url: String, in session: Session) throws -> NewNotificationTarget {
    guard let kind = NotificationTarget.Kind(rawValue: text) else {
      throw Failure.usage(
        "unknown kind '\(text.escapingControls())'; write ntfy, webhook or email", reason: "INVALID_KIND")
    }
    if url == "-", secretFile == "-" {
      throw Failure.usage("only the URL or the secret can come from standard input; write the other one into a file")
    }
    if kind == .email, secretFile != nil {
      throw Failure.usage("'--secret-file' does not apply to an email address", reason: "INVALID_KIND")
    }
    var url = url == "-" ? try session.urlFromInput() : url
    if kind == .email, !url.hasPrefix("mailto:") { url = "mailto:\(url)" }
    return NewNotificationTarget(kind: kind, url: url, secret: try secretFile.map { try session.secret(in: $0) })
  }

  /// The changes of `todo notify`.
  enum Change: String, CaseIterable {
    case add, confirm, test, remove

    /// The possible numbers of words that follow.
    var counts: ClosedRange<Int> {
      switch self {
      case .add, .confirm: 2...2
      case .test: 0...1
      case .remove: 1...1
      }
    }

    /// The words that follow.
    var needs: String {
      switch self {
      case .add: "'ntfy' or 'webhook' and a URL, or 'email' and an address"
      case .confirm: "the number of a target, as 'todo notify' shows it, and the code that was sent to it"
      case .test: "no more than the number of a target"
      case .remove: "the number of a target, as 'todo notify' shows it"
      }
    }
  }
}

extension Session {
  /// Reads the URL of a target from standard input, where it stays as secret as a password.
  ///
  /// - Throws: `Failure` if there is none.
  fileprivate func urlFromInput() throws -> String {
    if canPrompt { context.terminal.error("URL: ") }
    guard let url = context.terminal.readSecret()?.trimmed, !url.isEmpty else {
      throw Failure.usage("standard input has no URL; write it there", reason: "URL_REQUIRED")
    }
    return url
  }

  /// Reads a secret from a file that only the user can read, or from standard input.
  ///
  /// - Throws: `Failure` if there is none, without the name of the file, which may be the secret itself; `PrivateFileError`.
  fileprivate func secret(in file: String) throws -> String {
    if file == "-", canPrompt { context.terminal.error("Secret: ") }
    let secret = file == "-" ? context.terminal.readSecret() : try PrivateFile.read(file, followsLinks: true)
    guard let secret = secret?.trimmed, !secret.isEmpty else {
      let place = file == "-" ? "standard input has no secret" : "'--secret-file' names no file with a secret"
      throw Failure.usage("\(place); write it there", reason: "SECRET_REQUIRED")
    }
    return secret
  }
}

/// Shows and changes the notification targets for `todo notify`.
private struct NotifyActions {
  let session: Session
  let service: any NotificationService

  func show() async throws {
    let targets = try await service.notificationTargets()
    if session.options.json {
      let values = targets.enumerated().map { JSONValue($1, number: $0 + 1) }
      return try session.print(JSONValue.object([.init("targets", .array(values))]).indentedText)
    }
    if session.options.quiet { return try session.printLines(targets.map(\.id.description)) }
    guard !targets.isEmpty else {
      return session.printNotice("Your reminders are sent nowhere. Add a target: todo notify add ntfy URL")
    }
    try session.printLines(targets.enumerated().map { "\($0 + 1)  \($1.text)\(failureText(of: $1))" })
  }

  /// Returns when and why the last attempt to send a reminder failed, or an empty text.
  private func failureText(of target: NotificationTargetInfo) -> String {
    guard let failure = target.lastFailure else { return "" }
    let time = DueDate.time(failure.time).shortText(today: session.context.today, in: session.zone)
    return "  failed \(time): \(failure.reason.escapingControls())"
  }

  func add(_ new: NewNotificationTarget) async throws {
    let added: AddedNotificationTarget
    do { added = try await service.addNotificationTarget(new) } catch ToDoError.invalidRequest(let violations)
      where new.kind == .email
    {
      // An earlier version does not know the kind.
      guard !violations.contains(where: { $0.field == "target.kind" }) else {
        throw Failure(
          code: .unimplemented, reason: "EMAIL_NOT_SUPPORTED",
          message: "this server sends no email; its operator can turn it on, in the current version")
      }
      throw ToDoError.invalidRequest(
        violations.map { FieldViolation($0.field == "target.url" ? "target.address" : $0.field, $0.reason) })
    }
    let targets = try await service.notificationTargets()
    let number = (targets.firstIndex { $0.id == added.target.id } ?? targets.count) + 1
    if session.options.json {
      return try session.print(JSONValue(added.target, number: number, secret: added.madeSecret).indentedText)
    }
    let line = session.options.quiet ? added.target.id.description : "Added target \(number): \(added.target.phrase)"
    try session.print(line)
    if added.target.needsConfirmation, !session.options.quiet {
      try session.print(
        "A code was sent there. Confirm the address within 24 hours: todo notify confirm \(number) CODE")
    }
    guard let secret = added.madeSecret else { return }
    try session.print(session.options.quiet ? secret : "Its secret, which is shown only now: \(secret)")
  }

  func confirm(_ text: String, code: String) async throws {
    var (number, target) = try find(text, among: try await service.notificationTargets())
    try await service.confirmNotificationTarget(target.id, code: code)
    target.needsConfirmation = false
    if session.options.json { return try session.print(JSONValue(target, number: number).indentedText) }
    try session.print(session.options.quiet ? target.id.description : "Confirmed target \(number): \(target.phrase)")
  }

  func remove(_ text: String) async throws {
    let (number, target) = try find(text, among: try await service.notificationTargets())
    try await service.removeNotificationTarget(target.id)
    if session.options.json { return try session.print(JSONValue(target, number: number).indentedText) }
    try session.print(session.options.quiet ? target.id.description : "Removed target \(number): \(target.phrase)")
  }

  /// Sends test messages, to all targets also if one of them fails.
  func test(_ text: String?) async throws {
    let all = try await service.notificationTargets()
    var targets = all.enumerated().map { (number: $0 + 1, target: $1) }
    if let text { targets = [try find(text, among: all)] }
    guard !targets.isEmpty else {
      throw Failure(
        code: .notFound, reason: "NOTIFICATION_TARGET_NOT_FOUND",
        message: "you have no target; add one with 'todo notify add ntfy URL'")
    }
    var (sent, failed, firstFailure) = ([JSONValue](), [JSONValue](), (any Error)?.none)
    for (number, target) in targets {
      do {
        try await service.testNotificationTarget(target.id)
        sent.append(JSONValue(target, number: number))
        if !session.options.json, !session.options.quiet {
          try session.print("Sent a test message to target \(number): \(target.phrase)")
        }
      } catch let error as ToDoError where targets.count > 1 {
        if firstFailure == nil { firstFailure = error }
        failed.append(JSONValue(target, number: number, failure: Failure(error).message))
        session.printNotice("\(number)  \(target.text): \(Failure(error).message)")
      }
    }
    if session.options.json {
      let result = JSONValue.object([.init("sent", .array(sent)), .init("failed", .array(failed))])
      try session.print(result.indentedText)
    }
    if let firstFailure { throw firstFailure }
  }

  /// Finds a target by its number, or by its ID.
  private func find(
    _ text: String, among targets: [NotificationTargetInfo]
  ) throws -> (number: Int, target: NotificationTargetInfo) {
    let index =
      NotificationTargetID(text).map { id in targets.firstIndex { $0.id == id } } ?? Int(text).map { $0 - 1 }
    guard let index, targets.indices.contains(index) else {
      let known =
        switch targets.count {
        case 0: "you have none"
        case 1: "you have only 1"
        default: "you have 1 to \(targets.count)"
        }
      throw Failure(
        code: .notFound, reason: "NOTIFICATION_TARGET_NOT_FOUND",
        message: "there is no target '\(text.escapingControls())'; \(known), see 'todo notify'")
    }
    return (index + 1, targets[index])
  }
}

extension NotificationTargetInfo {
  /// The target in columns.
  fileprivate var text: String { parts.joined(separator: "  ") }

  /// The target in a sentence.
  fileprivate var phrase: String { "\(parts[0]) at \(parts.dropFirst().joined(separator: ", "))" }

  private var parts: [String] {
    [kind?.rawValue ?? "unknown", origin.escapingControls()] + (kind == .ntfy && hasSecret ? ["with a token"] : [])
      + (needsConfirmation ? ["not confirmed"] : [])
  }
}

extension JSONValue {
  fileprivate init(_ target: NotificationTargetInfo, number: Int, secret: String? = nil, failure: String? = nil) {
    var members: [Member] = [
      .init("number", .integer(Int64(number))), .init("id", .string(target.id.description)),
      .init("kind", .optional(target.kind?.rawValue)), .init("origin", .string(target.origin)),
      .init("hasSecret", .bool(target.hasSecret)), .init("needsConfirmation", .bool(target.needsConfirmation)),
    ]
    if let last = target.lastFailure {
      let value = [Member("time", .string(last.time.description)), Member("message", .string(last.reason))]
      members.append(Member("lastFailure", .object(value)))
    }
    if let secret { members.append(.init("secret", .string(secret))) }
    if let failure { members.append(.init("message", .string(failure))) }
    self = .object(members)
  }
}
