import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestSupport

/// The rules of targets of notifications.
@Suite(.unitTimeLimited) struct LocalNotificationServiceTests {
  private struct Tester: NotificationTester {
    func sendTest(to target: NotificationTarget) async throws {}
  }

  private let accounts = MemoryAccountStore()
  private let ann = User.sample("ann")
  private let service: LocalNotificationService

  init() async throws {
    service = LocalNotificationService(store: accounts, tester: Tester(), user: ann.list)
    try await accounts.addUser(ann)
  }

  private func target(_ number: Int, secret: String? = nil) -> NewNotificationTarget {
    NewNotificationTarget(kind: .webhook, url: "https://hook.example/\(number)", secret: secret)
  }

  @Test func targets_areListedInTheOrderOfTheirAdditions() async throws {
    var added: [NotificationTargetInfo] = []
    for number in 1...8 { added.append(try await service.addNotificationTarget(target(number)).target) }
    #expect(try await service.notificationTargets() == added)
  }

  @Test func addTarget_whenClockIsBehind_sortsItLast() async throws {
    let last = NotificationTarget(id: NotificationTargetID(high: .max, low: 7), kind: .ntfy, url: "https://ntfy.sh/a")
    try await accounts.addNotificationTarget(last, of: ann.list)
    let added = try await service.addNotificationTarget(target(1)).target
    #expect(try await service.notificationTargets().map(\.id) == [last.id, added.id])
  }

  @Test func addWebhook_makesAKeyOnlyIfThereIsNone() async throws {
    let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    #expect(try await service.addNotificationTarget(target(1, secret: key)).madeSecret == nil)
    let made = try await service.addNotificationTarget(target(2)).madeSecret
    #expect(made.flatMap(WebhookKey.init) != nil)
    #expect(try await accounts.notificationTargets(of: ann.list).map(\.secret) == [key, made])
  }

  @Test func addedTarget_asText_containsNoSecret() async throws {
    let new = target(1)
    let added = try await service.addNotificationTarget(new)
    let secret = try #require(added.madeSecret)
    for value in [new, added] as [Any] {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains(secret) && !text.contains("hook.example/"))
      }
    }
  }

  @Test func unknownTarget_isNotFound() async throws {
    for call in [service.removeNotificationTarget, service.testNotificationTarget] {
      await #expect(throws: ToDoError.notificationTargetNotFound(.sample(1))) { try await call(.sample(1)) }
    }
  }
}
