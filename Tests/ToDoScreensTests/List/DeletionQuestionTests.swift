import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoScreens

@Suite struct DeletionQuestionTests {
  typealias Bench = ListScreenBench

  private var bench: Bench {
    Bench((1...5 as ClosedRange<UInt64>).map { Bench.item($0, done: $0 > 3) })
  }

  @Test func deletion_ofDoneItems_isConfirmed() {
    var bench = bench
    #expect(bench.type("D") == [])
    #expect(bench.drawing.status == "Delete the 2 done items? y/n · a all 5 items")
    #expect(bench.drawing.isAsking)
    #expect(bench.press(.character("d"), .enter, .down) == [])
    #expect(bench.type("y") == [.perform(.deleteAll(.done))])
    #expect(bench.drawing.status == "1 of 5 · by due date")
  }

  @Test func deletion_ofAllItems_isConfirmedAfterA() {
    var bench = bench
    #expect(bench.type("Da") == [])
    #expect(bench.drawing.status == "Delete all 5 items? y/n")
    #expect(bench.type("a") == [])
    #expect(bench.type("y") == [.perform(.deleteAll(.all))])
  }

  @Test(arguments: [.character("n"), .escape] as [KeyPress]) func deletion_whenRefused_changesNothing(key: KeyPress) {
    var bench = bench
    bench.type("D")
    #expect(bench.press(key) == [])
    #expect(bench.screen.question == nil)
  }

  @Test func question_whenItemsChange_isUpdated() {
    var bench = bench
    bench.type("D")
    bench.put(Bench.item(1, done: true, revision: 2), Bench.item(6))
    #expect(bench.drawing.status == "Delete the 3 done items? y/n · a all 6 items")
    for number in [1, 4, 5] as [UInt64] { bench.delete(number) }
    #expect(bench.drawing.status == "Delete all 3 items? y/n")
  }

  @Test func question_whileItemsAreHidden_namesThem() {
    var bench = bench
    bench.type("/item 1")
    bench.press(.enter)
    bench.type("D")
    #expect(bench.drawing.status == "Delete the 2 done items, shown or not? y/n · a all 5 items")
  }

  @Test func deletion_whenImpossible_isNotOffered() {
    var empty = Bench()
    #expect(empty.type("D") == [.message("the list is empty")])
    var bench = bench
    bench.environment.connection = .lost(since: Sample.start)
    #expect(bench.type("D") == [.message(ListMessage.notConnected)])
    bench.environment.isReadOnly = true
    #expect(bench.type("D") == [.message(ListMessage.readOnly)])
  }

  @Test func deletion_whenConnectionEndsBeforeAnswer_isRefused() {
    var bench = bench
    bench.type("D")
    bench.environment.connection = .lost(since: Sample.start)
    #expect(bench.type("y") == [.message(ListMessage.notConnected)])
  }
}
