import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoTestSupport

@testable import todo

/// `todo feed`, with a server that keeps the feeds in memory.
@Suite(.unitTimeLimited) struct FeedCommandTests {
  private final class Feeds: CalendarFeedService {
    let feeds = Mutex<[CalendarFeed]>([])
    let origin: String
    let failure: RPCError?

    init(origin: String = "https://todo.example", failure: RPCError? = nil) {
      (self.origin, self.failure) = (origin, failure)
    }

    func createCalendarFeed(of list: ListID?) async throws -> CreatedCalendarFeed {
      if let failure { throw failure }
      return feeds.withLock { feeds in
        let id = CalendarFeedID(number: UInt64(feeds.count + 1))
        feeds.append(CalendarFeed(id: id, list: list, createdAt: TestBench.start))
        return CreatedCalendarFeed(feed: feeds[feeds.count - 1], path: "/calendar.ics?feed=SECRET\(id)", origin: origin)
      }
    }

    func calendarFeeds() async throws -> [CalendarFeed] {
      if let failure { throw failure }
      return feeds.withLock(\.self)
    }

    func revokeCalendarFeed(_ id: CalendarFeedID) async throws {
      let isFound = feeds.withLock { feeds in
        let count = feeds.count
        feeds.removeAll { $0.id == id }
        return feeds.count < count
      }
      guard isFound else { throw ToDoError.calendarFeedNotFound(id) }
    }
  }

  private func bench(_ feeds: Feeds = Feeds()) -> TestBench {
    let bench = TestBench()
    bench.change { state in
      state.environment["TODO_SERVER"] = "tcp://192.0.2.1:8636"
      state.feeds = feeds
    }
    return bench
  }

  @Test func feed_withoutFeeds_saysHowToCreateOne() async {
    let run = await bench().run("feed")
    #expect(run.status == .success && run.output == "")
    #expect(run.error == "You have no calendar feed. Create one: todo feed new\n")
  }

  @Test func feed_isCreatedShownAndRevoked() async {
    let bench = bench()
    let created = await bench.run("feed new")
    #expect(created.output == "https://todo.example/calendar.ics?feed=SECRET0000000000000001\n")
    #expect(created.error.contains("it shows all lists. Tell it nobody."))
    #expect(await bench.run("feed").output == "0000000000000001  all lists  created today 10:15:42\n")
    #expect(await bench.run("feed list -q").output == "0000000000000001\n")
    let revoked = await bench.run("feed revoke 0000000000000001")
    #expect(revoked.output == "Revoked calendar feed 0000000000000001.\n")
    #expect(await bench.run("feed -q").output == "")
    for id in ["0000000000000001", "x"] {
      let failed = await bench.run("feed revoke \(id)")
      #expect(failed.status != .success && failed.error.contains("there is no calendar feed"), "\(failed.error)")
    }
  }

  @Test func feedOfAList_namesTheList() async {
    let bench = bench()
    await bench.run("lists create Work")
    let created = await bench.run("feed new -L Work")
    #expect(created.error.contains("it shows the list 'Work'."), "\(created.error)")
    #expect(await bench.run("feed").output == "0000000000000001  Work  created today 10:15:42\n")
    // The list in use is not that of '--list'.
    await bench.run("use Work")
    #expect(await bench.run("feed new").error.contains("it shows all lists."))
    #expect(await bench.run("feed -L Work").error.contains("'--list' needs 'todo feed new'"))
  }

  @Test func json_hasTheAddressOnce() async {
    let bench = bench()
    #expect(
      await bench.run("feed new --json").output == """
        {
          "id": "0000000000000001",
          "list": null,
          "createdAt": "2026-04-29T08:15:42Z",
          "url": "https://todo.example/calendar.ics?feed=SECRET0000000000000001"
        }

        """)
    #expect(await !bench.run("feed --json").output.contains("SECRET"))
  }

  @Test func unknownAddress_isSaid() async {
    let run = await bench(Feeds(origin: "")).run("feed new")
    #expect(run.output == "/calendar.ics?feed=SECRET0000000000000001\n")
    #expect(run.error.contains("write https:// and its host before it"))
  }

  @Test func serverWithoutFeeds_isSaid() async {
    let failure = RPCError(.unimplemented, reason: "METHOD_NOT_IMPLEMENTED", "no")
    let run = await bench(Feeds(failure: failure)).run("feed new")
    #expect(run.error.contains("this server has no calendar feeds"), "\(run.error)")
  }

  @Test func listOnThisMachine_hasNoFeeds() async {
    let run = await TestBench().run("feed new")
    #expect(run.status == .usage && run.error.contains("calendar feeds need a server"), "\(run.error)")
  }

  @Test(arguments: ["feed add", "feed revoke", "feed new work", "feed list x"]) func wrongWords_areRejected(
    _ line: String
  ) async {
    #expect(await bench().run(line).status == .usage)
  }
}
