import Foundation
import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo notify`, with a server that stores the targets in memory.
@Suite(.unitTimeLimited) struct NotifyCommandTests {
  /// Fails test messages to a host.
  private struct Tester: NotificationTester, ConfirmationSender {
    func sendConfirmation(code: String, to target: NotificationTarget) async throws {}

    func sendTest(to target: NotificationTarget) async throws {
      if target.redactedURL == "https://gone.example" {
        throw ToDoError.notificationFailed(detail: "the target answered 410")
      }
    }
  }

  /// Says that the last reminder to one target was not delivered.
  private final class Failures: NotificationFailures {
    let failed = Mutex<NotificationTargetID?>(nil)

    func lastFailure(of target: NotificationTargetID) -> NotificationFailure? {
      guard failed.withLock({ $0 == target }) else { return nil }
      return NotificationFailure(time: TestBench.start, reason: "the target answered with HTTP status 403")
    }
  }

  private let bench = TestBench()
  private let failures = Failures()
  private let accounts = MemoryAccountStore()
  private let directory: TemporaryDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    let ann = User.sample("ann")
    try await accounts.addUser(ann)
    let service = LocalNotificationService(
      store: accounts, tester: Tester(), user: ann.list, failures: failures,
      confirmations: EmailConfirmations(sender: Tester()) { "0123456789" })
    bench.change { state in
      state.environment["TODO_SERVER"] = "tcp://192.0.2.1:8636"
      state.notifications = service
    }
  }

  private func secretFile(_ text: String, mode: Int = 0o600) throws -> String {
    try Data(text.utf8).write(to: URL(filePath: directory.file("secret")))
    try directory.setPermissions(of: directory.file("secret"), to: mode)
    return directory.file("secret")
  }

  @Test func notify_withoutTargets_saysHowToAddOne() async {
    let run = await bench.run("notify")
    #expect(run.status == .success && run.output == "")
    #expect(run.error == "Your reminders are sent nowhere. Add a target: todo notify add ntfy URL\n")
    #expect(await bench.run("notify --json").output == "{\n  \"targets\": []\n}\n")
  }

  @Test func target_isAddedShownAndRemoved() async throws {
    let file = try secretFile("tk_private\n")
    let added = await bench.run("notify add ntfy https://ntfy.example/private --secret-file \(file)")
    #expect(added.error == "")
    #expect(added.output == "Added target 1: ntfy at https://ntfy.example, with a token\n")
    let hook = await bench.run("notify add webhook https://hook.example/private").output
    let lines = hook.split(separator: "\n")
    #expect(lines.first == "Added target 2: webhook at https://hook.example")
    #expect(lines.last?.hasPrefix("Its secret, which is shown only now: whsec_") == true)
    #expect(
      await bench.run("notify").output
        == "1  ntfy  https://ntfy.example  with a token\n2  webhook  https://hook.example\n")
    let stored = try await accounts.notificationTargets(of: User.sample("ann").list)
    #expect(stored.map(\.secret) == ["tk_private", lines.last?.split(separator: " ").last.map(String.init)])
    #expect(await bench.run("notify -q").output == stored.map { "\($0.id)\n" }.joined())
    #expect(
      await bench.run("notify remove 1").output == "Removed target 1: ntfy at https://ntfy.example, with a token\n")
    #expect(await bench.run("notify remove \(stored[1].id) -q").output == "\(stored[1].id)\n")
    #expect(try await accounts.notificationTargets(of: User.sample("ann").list) == [])
  }

  @Test func lastFailure_isShownWithTimeAndReason() async throws {
    await bench.run("notify add ntfy https://ntfy.example/t")
    await bench.run("notify add ntfy https://other.example/t")
    let id = try await accounts.notificationTargets(of: User.sample("ann").list)[0].id
    failures.failed.withLock { $0 = id }
    let reason = "the target answered with HTTP status 403"
    #expect(
      await bench.run("notify").output == """
        1  ntfy  https://ntfy.example  failed today 10:15:42: \(reason)
        2  ntfy  https://other.example

        """)
    let json = await bench.run("notify --json").output
    let failure =
      "\"lastFailure\": {\n        \"time\": \"2026-04-29T08:15:42Z\",\n        \"message\": \"\(reason)\"\n"
    #expect(json.contains(failure), "\(json)")
    #expect(json.split(separator: "lastFailure").count == 2)
  }

  @Test func email_isConfirmedWithItsCode() async throws {
    let added = await bench.run("notify add email private@example.org")
    #expect(added.error == "")
    #expect(
      added.output == """
        Added target 1: email at example.org, not confirmed
        A code was sent there. Confirm the address within 24 hours: todo notify confirm 1 CODE

        """)
    #expect(await bench.run("notify").output == "1  email  example.org  not confirmed\n")
    #expect(await bench.run("notify --json").output.contains("\"needsConfirmation\": true"))
    let wrong = await bench.run("notify confirm 1 1123456789")
    #expect(wrong.status == .usage && wrong.error.contains("code"))
    #expect(wrong.error.contains("is not the code that was sent to the address"))
    #expect(await bench.run("notify confirm 1 01234-56789").output == "Confirmed target 1: email at example.org\n")
    #expect(await bench.run("notify").output == "1  email  example.org\n")
    let stored = try await accounts.notificationTargets(of: User.sample("ann").list)
    #expect(stored.map(\.url) == ["mailto:private@example.org"] && stored.map(\.secret) == [nil])
    #expect(await bench.run("notify confirm 2 0123456789").status == .notFound)
    #expect(await bench.run("notify add email mailto:b@example.org -q").output.split(separator: "\n").count == 1)
  }

  @Test func email_hasNoSecret_andNeedsAServerThatSendsEmail() async throws {
    let file = try secretFile("tk_private")
    let secret = await bench.run("notify add email a@example.org --secret-file \(file)")
    #expect(secret.status == .usage)
    #expect(secret.error.hasPrefix("Error: '--secret-file' does not apply to an email address\n"))
    let service = LocalNotificationService(store: accounts, tester: Tester(), user: User.sample("ann").list)
    bench.change { $0.notifications = service }
    let run = await bench.run("notify add email a@example.org")
    #expect(run.status == .failure)
    #expect(
      run.error.hasPrefix("Error: this server sends no email; its operator can turn it on, in the current version\n"))
    let invalid = await bench.run("notify add email a@localhost")
    #expect(invalid.error.contains("<address> must have the name of a domain with at least one dot"))
    for address in ["bad", "@", "a b@example.org"] {
      let error = await bench.run("notify add email '\(address)'").error
      #expect(error.contains("<address> must") && !error.contains("mailto"), "\(error)")
    }
  }

  @Test func targets_asJSON_containNoCredential() async throws {
    let file = try secretFile("tk_private")
    await bench.run("notify add ntfy https://ntfy.example/private --secret-file \(file)")
    let id = try #require(try await accounts.notificationTargets(of: User.sample("ann").list).first?.id)
    let target = """
      {
        "targets": [
          {
            "number": 1,
            "id": "\(id)",
            "kind": "ntfy",
            "origin": "https://ntfy.example",
            "hasSecret": true,
            "needsConfirmation": false
          }
        ]
      }

      """
    #expect(await bench.run("notify --json").output == target)
    for line in ["notify --json", "notify test --json", "notify test", "notify", "notify remove 1 --json"] {
      let run = await bench.run(line)
      #expect(run.status == .success)
      #expect(!run.output.contains("private") && !run.error.contains("private"))
    }
  }

  @Test func webhookSecret_asJSONOrQuiet_isPrintedOnce() async throws {
    let run = await bench.run("notify add webhook https://hook.example/1 --json")
    #expect(run.output.contains("\"secret\": \"whsec_"))
    #expect(await !bench.run("notify --json").output.contains("whsec_"))
    let lines = await bench.run("notify add webhook https://hook.example/2 -q").output.split(separator: "\n")
    #expect(lines.count == 2 && lines[1].hasPrefix("whsec_"))
  }

  @Test func secret_isReadFromStandardInput() async throws {
    bench.change { $0.answers = ["tk_private"] }
    let run = await bench.run("notify add ntfy https://ntfy.example/t --secret-file -")
    #expect(run.status == .success)
    #expect(try await accounts.notificationTargets(of: User.sample("ann").list).map(\.secret) == ["tk_private"])
    let empty = await bench.run("notify add ntfy https://ntfy.example/u --secret-file -")
    #expect(empty.status == .usage)
    #expect(empty.error.hasPrefix("Error: standard input has no secret; write it there\n"))
  }

  @Test func url_isReadFromStandardInput() async throws {
    bench.change { $0.answers = ["https://ntfy.example/private \n"] }
    let run = await bench.run("notify add ntfy -")
    #expect(run.output == "Added target 1: ntfy at https://ntfy.example\n" && run.error == "")
    let stored = try await accounts.notificationTargets(of: User.sample("ann").list)
    #expect(stored.map(\.url) == ["https://ntfy.example/private"])
    let empty = await bench.run("notify add ntfy -")
    #expect(empty.status == .usage && empty.error == "Error: standard input has no URL; write it there\n")
    let both = await bench.run("notify add ntfy - --secret-file -")
    #expect(both.status == .usage && both.error.hasPrefix("Error: only the URL or the secret can come from standard"))
    bench.change { ($0.answers, $0.isInteractive) = (["https://ntfy.example/other"], true) }
    #expect(await bench.run("notify add ntfy -").error == "URL: ")
  }

  @Test func secretFile_whenMissingOrPublic_isRefused() async throws {
    let missing = await bench.run("notify add ntfy https://ntfy.example/t --secret-file tk_private")
    #expect(missing.status == .usage)
    #expect(missing.error.hasPrefix("Error: '--secret-file' names no file with a secret; write it there\n"))
    let file = try secretFile("tk_private", mode: 0o644)
    let open = await bench.run("notify add ntfy https://ntfy.example/t --secret-file \(file)")
    #expect(open.status == .notAllowed)
    #expect(try await accounts.allNotificationTargets().users.isEmpty)
  }

  @Test func invalidTarget_namesTheArguments() async throws {
    let file = try secretFile("private private")
    let run = await bench.run("notify add ntfy ftp://host/private --secret-file \(file)")
    #expect(run.status == .usage)
    #expect(run.error.contains("<url> must begin with https:// or http://"))
    #expect(run.error.contains("--secret-file must be an access token of 1 to 256 visible ASCII characters"))
    #expect(!run.error.contains("private private") && !run.error.contains("ftp"))
    #expect(await bench.run("notify add pager https://host/t").error.contains("unknown kind 'pager'"))
  }

  @Test func test_sendsToAllTargets_alsoIfOneFails() async {
    let none = await bench.run("notify test")
    #expect(none.status == .notFound)
    #expect(none.error == "Error: you have no target; add one with 'todo notify add ntfy URL'\n")
    await bench.run("notify add ntfy https://gone.example/private")
    await bench.run("notify add ntfy https://ntfy.example/t")
    let run = await bench.run("notify test")
    #expect(run.status == .unreachable)
    #expect(run.output == "Sent a test message to target 2: ntfy at https://ntfy.example\n")
    let failure = "the message was not delivered: the target answered 410"
    #expect(run.error == "1  ntfy  https://gone.example: \(failure)\nError: \(failure)\n")
    let json = await bench.run("notify test --json").output
    #expect(json.contains("\"message\": \"\(failure)\"") && json.contains("\"failed\""))
    #expect(await bench.run("notify test 2").status == .success)
    #expect(await bench.run("notify test 1").error == "Error: \(failure)\n")
  }

  @Test(arguments: ["0", "2", "-1", "x", "0198c0de-7000-7abc-8def-0123456789ab"])
  func unknownTarget_isNotFound(_ number: String) async {
    await bench.run("notify add ntfy https://ntfy.example/t")
    let run = await bench.run(["notify", "remove", "--", number])
    #expect(run.status == .notFound)
    #expect(run.error == "Error: there is no target '\(number)'; you have only 1, see 'todo notify'\n")
  }

  @Test(arguments: [
    ("notify delete 1", "unknown change 'delete'; write add, confirm, test or remove"),
    ("notify add ntfy", "'todo notify add' needs 'ntfy' or 'webhook' and a URL, or 'email' and an address"),
    ("notify remove", "'todo notify remove' needs the number of a target, as 'todo notify' shows it"),
    ("notify test 1 2", "'todo notify test' needs no more than the number of a target"),
    ("notify --secret-file x", "'--secret-file' needs 'todo notify add'"),
    ("notify test --secret-file x", "'--secret-file' needs 'todo notify add'"),
  ])
  func words_whenInvalid_areRefused(_ line: String, _ message: String) async {
    let run = await bench.run(line)
    #expect(run.status == .usage)
    #expect(run.error.contains(message))
  }

  @Test func notify_withoutServer_mentionsRemind() async {
    bench.change { $0.environment["TODO_SERVER"] = nil }
    let run = await bench.run("notify")
    #expect(run.status == .usage)
    #expect(run.error == "Error: notifications need a server; 'todo remind' tells of reminders on this machine\n")
  }

  @Test func notify_whenServerSendsNone_saysSo() async {
    bench.change { $0.notifications = nil }
    let run = await bench.run("notify add ntfy https://ntfy.example/t")
    #expect(run.status == .failure)
    #expect(run.error == "Error: this server sends no notifications; its operator can turn them on\n")
  }

  @Test func completion_offersChangesAndKinds() {
    #expect(CompletionLine(["notify"], current: "").target == .notificationChanges)
    #expect(CompletionLine(["notify", "add"], current: "").target == .notificationKinds)
    #expect(CompletionLine(["notify", "remove"], current: "").target == nil)
  }
}
