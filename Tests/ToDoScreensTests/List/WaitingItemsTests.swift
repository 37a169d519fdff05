import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

/// Items that wait, on 2026-04-29 at 10:15:42 in Berlin.
@Suite struct WaitingItemsTests {
  typealias Bench = ListScreenBench

  private func waiting(_ number: UInt64, until text: String) -> ToDoItem {
    var item = Bench.item(number)
    item.content.waitUntil = Timestamp(text)
    return item
  }

  @Test func waitingItems_areHiddenUntilTheirTime() {
    var bench = Bench([
      Bench.item(1), waiting(2, until: "2026-04-29T08:16:00Z"), waiting(3, until: "2026-05-01T00:00:00Z"),
    ])
    #expect(bench.shown == [1])
    #expect(bench.drawing.texts.first == "To do (1)")
    #expect(bench.drawing.status.hasSuffix("2 waiting"))
    bench.environment.now = Timestamp("2026-04-29T08:16:00Z") ?? Sample.start
    bench.send(.minutePassed)
    #expect(bench.shown == [1, 2])
    #expect(bench.drawing.status.hasSuffix("1 waiting"))
    bench.press(.character("w"))
    #expect(bench.shown == [1, 2, 3])
    #expect(!bench.drawing.status.contains("waiting"))
    bench.press(.character("w"))
    #expect(bench.shown == [1, 2])
  }

  @Test func waitingItems_whenShown_haveTheirOwnSection() {
    var due = waiting(2, until: "2026-05-01T00:00:00Z")
    due.content.due = .time(Timestamp("2026-04-29T06:00:00Z") ?? Sample.start)
    var bench = Bench([Bench.item(1), due, waiting(3, until: "2026-04-29T08:16:00Z"), Bench.item(4)])
    bench.press(.character("w"))
    #expect(bench.shown == [1, 4, 2, 3])
    #expect(bench.drawing.texts.filter { $0.contains("(") } == ["To do (2)", "Waiting (2)"])
    bench.environment.now = Timestamp("2026-04-29T08:16:00Z") ?? Sample.start
    bench.send(.minutePassed)
    #expect(bench.shown == [1, 3, 4, 2])
    #expect(bench.drawing.texts.filter { $0.contains("(") } == ["To do (3)", "Waiting (1)"])
    bench.put(Bench.item(2, revision: 2))
    #expect(bench.drawing.texts.filter { $0.contains("(") } == ["To do (4)"])
  }

  @Test func waitingItem_whenItChanges_appears() {
    var bench = Bench([Bench.item(1), waiting(2, until: "2026-05-01T00:00:00Z")])
    bench.put(Bench.item(2, revision: 2))
    #expect(bench.shown == [1, 2])
    #expect(bench.press(.character("w")) == [.message(ListMessage.nothingWaits)])
    bench.put(waiting(1, until: "2026-05-01T00:00:00Z"))
    #expect(bench.shown == [2])
    bench.delete(1)
    #expect(!bench.drawing.status.contains("waiting"))
  }
}
