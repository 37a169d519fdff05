import Synchronization
import Testing
import ToDoModel
import ToDoStores
import ToDoTestSupport

@testable import ToDoRules

/// Email addresses as targets: nobody sends reminders to an address that is not their own.
@Suite(.unitTimeLimited) struct EmailNotificationTests {
  /// Records codes and test messages.
  private final class Sender: ConfirmationSender, NotificationTester {
    let codes = Mutex<[(code: String, url: String)]>([])
    let tests = Mutex(0)
    let failure = Mutex<ToDoError?>(nil)

    func sendConfirmation(code: String, to target: NotificationTarget) async throws {
      if let failure = failure.withLock(\.self) { throw failure }
      codes.withLock { $0.append((code, target.url)) }
    }

    func sendTest(to target: NotificationTarget) async throws { tests.withLock { $0 += 1 } }
  }

  private let accounts = MemoryAccountStore()
  private let ann = User.sample("ann")
  private let bob = User.sample("bob")
  private let sender = Sender()
  private let clock = TestClock()
  private let confirmations: EmailConfirmations

  init() async throws {
    let codes = Mutex(0)
    confirmations = EmailConfirmations(sender: sender, clock: clock) {
      codes.withLock {
        $0 += 1
        return "CDE000000\($0 % 10)"
      }
    }
    for user in [ann, bob] { try await accounts.addUser(user) }
  }

  private func service(_ user: User, sendsEmail: Bool = true) -> LocalNotificationService {
    LocalNotificationService(
      store: accounts, tester: sender, user: user.list, confirmations: sendsEmail ? confirmations : nil, clock: clock)
  }

  private func email(_ address: String) -> NewNotificationTarget {
    NewNotificationTarget(kind: .email, url: "mailto:\(address)")
  }

  private func code(_ reason: String) -> ToDoError { .invalidRequest([FieldViolation("code", reason)]) }

  private func failed(_ minutes: Int) -> ToDoError {
    .notificationFailed(detail: "too many codes were sent; try again in \(minutes) min")
  }

  @Test func address_isConfirmedByTheCodeThatWasSentThere() async throws {
    let service = service(ann)
    let added = try await service.addNotificationTarget(email("Ann@Example.org"))
    #expect(added.madeSecret == nil)
    #expect((added.target.kind, added.target.origin, added.target.hasSecret) == (.email, "example.org", false))
    #expect(added.target.needsConfirmation)
    #expect(sender.codes.withLock { $0.map(\.url) } == ["mailto:Ann@example.org"])
    let id = added.target.id
    let unconfirmed = ToDoError.invalidRequest([FieldViolation("id", "is an email address that is not confirmed")])
    await #expect(throws: unconfirmed) { try await service.testNotificationTarget(id) }
    #expect(try await accounts.allNotificationTargets().confirmed.users == [:])
    await #expect(throws: code("is not the code that was sent to the address")) {
      try await service.confirmNotificationTarget(id, code: "CDE0000002")
    }
    await #expect(throws: ToDoError.notificationTargetNotFound(id)) {
      try await self.service(bob).confirmNotificationTarget(id, code: "CDE0000001")
    }
    try await service.confirmNotificationTarget(id, code: "cde00-00001")
    #expect(try await service.notificationTargets().map(\.needsConfirmation) == [false])
    #expect(
      try await accounts.allNotificationTargets().confirmed.users
        == [ann.list: [NotificationTarget(id: id, kind: .email, url: "mailto:Ann@example.org")]])
    try await service.confirmNotificationTarget(id, code: "anything")
    try await service.testNotificationTarget(id)
    #expect(sender.tests.withLock(\.self) == 1)
  }

  @Test func server_withoutEmail_refusesAddresses() async throws {
    let refusal = ToDoError.invalidRequest([FieldViolation("target.kind", "is email, but this server sends no email")])
    await #expect(throws: refusal) {
      try await service(ann, sendsEmail: false).addNotificationTarget(email("ann@example.org"))
    }
    #expect(try await accounts.notificationTargets(of: ann.list) == [])
  }

  @Test func address_whoseCodeIsNotSent_isNotAdded() async throws {
    let failure = ToDoError.notificationFailed(detail: "the mail server answered RCPT TO with 550")
    sender.failure.withLock { $0 = failure }
    await #expect(throws: failure) { try await service(ann).addNotificationTarget(email("ann@example.org")) }
    #expect(try await accounts.notificationTargets(of: ann.list) == [])
  }

  @Test func address_thatCannotBeAdded_getsNoCode() async throws {
    _ = try await service(ann).addNotificationTarget(email("ann@example.org"))
    let known = ToDoError.invalidRequest([FieldViolation("target.url", "is the URL of an existing target")])
    await #expect(throws: known) { try await service(ann).addNotificationTarget(email("ann@EXAMPLE.org")) }
    for number in 1...7 {
      let url = "https://ntfy.sh/\(number)"
      _ = try await service(ann).addNotificationTarget(NewNotificationTarget(kind: .ntfy, url: url))
    }
    await #expect(throws: ToDoError.tooManyNotificationTargets(limit: 8)) {
      try await service(ann).addNotificationTarget(email("other@example.org"))
    }
    #expect(sender.codes.withLock(\.count) == 1)
  }

  @Test func code_expiresAfterADay_andItsTargetMakesWay() async throws {
    let service = service(ann)
    let id = try await service.addNotificationTarget(email("ann@example.org")).target.id
    clock.advance(by: .seconds(24 * 3_600))
    await #expect(throws: code("has expired; remove the target and add it again")) {
      try await service.confirmNotificationTarget(id, code: "CDE0000001")
    }
    let next = try await service.addNotificationTarget(email("ann@example.org")).target.id
    #expect(try await service.notificationTargets().map(\.id) == [next])
    try await service.confirmNotificationTarget(next, code: "CDE0000002")
    clock.advance(by: .seconds(25 * 3_600))
    _ = try await service.addNotificationTarget(email("other@example.org"))
    #expect(try await service.notificationTargets().map(\.needsConfirmation) == [false, true])
  }

  @Test func codes_ofAUser_areLimited() async throws {
    for number in 1...5 {
      _ = try await service(ann).addNotificationTarget(email("a\(number)@example.org"))
      clock.advance(by: .seconds(60))
    }
    await #expect(throws: failed(55)) { try await service(ann).addNotificationTarget(email("a6@example.org")) }
    _ = try await service(bob).addNotificationTarget(email("a6@example.org"))
    clock.advance(by: .seconds(55 * 60))
    _ = try await service(ann).addNotificationTarget(email("a6@example.org"))
    await #expect(throws: failed(1)) { try await service(ann).addNotificationTarget(email("a7@example.org")) }
  }

  @Test func codes_toAnAddress_areLimited_whoeverAsks() async throws {
    for _ in 1...3 {
      let id = try await service(ann).addNotificationTarget(email("Victim@example.org")).target.id
      try await service(ann).removeNotificationTarget(id)
    }
    for address in ["victim@example.org", "VICTIM@Example.org"] {
      await #expect(throws: failed(60)) { try await service(bob).addNotificationTarget(email(address)) }
    }
    #expect(sender.codes.withLock(\.count) == 3)
  }

  @Test func table_ofLimits_isBounded() async throws {
    let target = { (number: Int) in NotificationTarget(kind: .email, url: "mailto:a\(number)@example.org") }
    for number in 0..<EmailConfirmations.subjectLimit / 2 {
      _ = try await confirmations.send(to: target(number), of: OwnerID("u\(number)"))
    }
    await #expect(throws: failed(60)) { try await confirmations.send(to: target(-1), of: OwnerID("u")) }
    clock.advance(by: .seconds(3_600))
    _ = try await confirmations.send(to: target(-1), of: OwnerID("u"))
  }
}
