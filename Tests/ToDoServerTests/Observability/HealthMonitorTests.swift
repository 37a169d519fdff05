import TestSupport
import Testing
import ToDoProtocol

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
    var watches = ["", ToDoMethods.service, HealthMethods.service, "no.Service"].map {
      health.statuses(of: $0).makeAsyncIterator()
    }
    health.setStoreUsable(false)
    health.setStoreUsable(false)
    #expect(await watches[0].next() == .serving)
    #expect(await watches[0].next() == .notServing)
    #expect(await watches[1].next() == .serving)
    health.setStoreUsable(true)
    #expect(await watches[1].next() == .notServing)
    #expect(await watches[1].next() == .serving)
    health.stopServing()
    #expect(await watches[2].next() == .serving)
    #expect(await watches[2].next() == .notServing)
    #expect(await watches[2].next() == nil)
    #expect(await watches[3].next() == .serviceUnknown)
  }

  @Test func watch_whileStoreIsUnusable_startsWithNotServing() async {
    health.setStoreUsable(false)
    var watch = health.statuses(of: ToDoMethods.service).makeAsyncIterator()
    #expect(await watch.next() == .notServing)
    health.stopServing()
    #expect(await watch.next() == .notServing)
    #expect(await watch.next() == nil)
  }
}
