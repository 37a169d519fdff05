import Testing
import ToDoProtocol
import ToDoTestSupport

@testable import ToDoServer

/// Tests of the health that a server reports.
@Suite(.timeLimited) struct HealthMonitorTests {
  private let health = HealthMonitor(services: [ToDoMethods.service, HealthMethods.service])

  @Test func status_whenStoreIsUnusable_isNotServing() throws {
    health.setStoreUsable(false)
    #expect(try health.status(of: "") == .notServing)
    #expect(try health.status(of: ToDoMethods.service) == .notServing)
    #expect(try health.status(of: HealthMethods.service) == .serving)
    health.setStoreUsable(true)
    #expect(try health.status(of: ToDoMethods.service) == .serving)
  }

  @Test func watches_whenStoreBecomesUnusable_areNotified() async throws {
    let watches = ["", ToDoMethods.service, HealthMethods.service, "no.Service"].map {
      Subscription(health.statuses(of: $0))
    }
    health.setStoreUsable(false)
    health.setStoreUsable(false)
    #expect(try await watches[0].next() == .serving)
    #expect(try await watches[0].next() == .notServing)
    #expect(try await watches[1].next() == .serving)
    health.setStoreUsable(true)
    #expect(try await watches[1].next() == .notServing)
    #expect(try await watches[1].next() == .serving)
    health.stopServing()
    #expect(try await watches[2].next() == .serving)
    #expect(try await watches[2].next() == .notServing)
    #expect(try await watches[2].next() == nil)
    #expect(try await watches[3].next() == .serviceUnknown)
  }

  @Test func watch_whileStoreIsUnusable_startsWithNotServing() async throws {
    health.setStoreUsable(false)
    let watch = Subscription(health.statuses(of: ToDoMethods.service))
    #expect(try await watch.next() == .notServing)
    health.stopServing()
    #expect(try await watch.next() == .notServing)
    #expect(try await watch.next() == nil)
  }
}
