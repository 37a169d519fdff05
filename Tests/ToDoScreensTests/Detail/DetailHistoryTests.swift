import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct DetailHistoryTests {
  private static let id = Sample.id(1)
  private static let read: [ScreenAction] = [.perform(.readHistory(id))]

  private func record(_ revision: Int64, _ kind: RecordedChange.Kind) -> RevisionRecord {
    RevisionRecord(
      revision: Revision(revision), time: Sample.start, origin: ChangeOrigin(user: "ann"), isOwn: true,
      changes: [RecordedChange(item: Self.id, number: ItemNumber(1), title: "Buy milk", kind: kind)], changeCount: 1)
  }

  private func result(_ records: [RevisionRecord]) -> ScreenEvent {
    .result(.historyRead(Self.id, .success(records)))
  }

  private var failure: ScreenEvent {
    let failure = EffectFailure(kind: .unreachable, message: "the server is unreachable")
    return .result(.historyRead(Self.id, .failure(failure)))
  }

  /// An opened screen.
  private func bench(columns: Int = 80) -> SingleScreenBench<DetailScreen> {
    var bench = SingleScreenBench(DetailScreen(Self.id), [.listed(1, "Buy milk")], columns: columns)
    #expect(bench.screen.opened() == Self.read)
    return bench
  }

  private func history(_ bench: SingleScreenBench<DetailScreen>) -> [String] {
    Array(bench.drawing.texts.drop { $0 != "History" }.dropFirst())
  }

  @Test func history_isDrawnAsLog() {
    var bench = bench()
    #expect(history(bench) == ["Reading the history"])
    #expect(bench.handle(result([record(12, .put(.edited)), record(3, .put(.added))])).isEmpty)
    #expect(
      history(bench) == [
        "12  today 10:15:42  Edited 1: Buy milk  by ann", " 3  today 10:15:42  Added 1: Buy milk  by ann",
      ])
  }

  @Test(arguments: 30...60) func history_fitsIntoWindow(columns: Int) {
    var bench = bench(columns: columns)
    bench.handle(result([record(1_234_567, .put(.edited))]))
    let lines = history(bench)
    #expect((1...2).contains(lines.count))
    #expect(columns < 32 || lines.joined().contains("by ann"))
    for line in lines { #expect(line.displayWidth <= columns) }
  }

  @Test func history_whenEmptyOrFailed_isNotice() {
    var bench = bench()
    bench.handle(result([]))
    #expect(history(bench) == ["The history no longer contains the changes of the item."])
    bench.handle(failure)
    #expect(history(bench) == ["The history could not be read: the server is unreachable"])
  }

  @Test func history_ofOtherItem_isIgnored() {
    var bench = bench()
    #expect(bench.handle(.result(.historyRead(Sample.id(2), .success([record(3, .put(.added))])))).isEmpty)
    #expect(history(bench) == ["Reading the history"])
  }

  @Test func itemChange_readsHistoryAgain() {
    var bench = bench()
    bench.handle(result([record(3, .put(.added))]))
    #expect(bench.put(.listed(2, "Other")).isEmpty)
    #expect(bench.put(.listed(1, "Buy milk", done: true, revision: 4)) == Self.read)
    // The earlier history remains until the next one is read.
    #expect(history(bench) == ["3  today 10:15:42  Added 1: Buy milk  by ann"])
  }

  @Test func itemChange_whileReading_readsHistoryOnceMore() {
    var bench = bench()
    #expect(bench.put(.listed(1, "Milk", revision: 4)).isEmpty)
    #expect(bench.put(.listed(1, "Bread", revision: 5)).isEmpty)
    #expect(bench.handle(result([record(4, .put(.edited))])) == Self.read)
    #expect(bench.handle(result([record(5, .put(.edited))])).isEmpty)
  }

  @Test func resumed_whenReadingFailedOrWasCancelled_readsHistory() {
    var bench = bench()
    #expect(bench.handle(.resumed) == Self.read)
    bench.handle(result([record(3, .put(.added))]))
    #expect(bench.handle(.resumed).isEmpty)
    bench.handle(failure)
    #expect(bench.handle(.resumed) == Self.read)
  }

  @Test func restoredItem_isDrawnAgain() {
    var bench = bench()
    bench.handle(result([]))
    bench.delete(Self.id)
    #expect(bench.drawing.texts == ["The item was deleted."])
    #expect(bench.put(.listed(1, "Buy milk", revision: 10)) == Self.read)
    #expect(bench.drawing.texts.first == "Buy milk")
  }
}
