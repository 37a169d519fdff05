import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct ListScreenSelectionTests {
  typealias Bench = ListScreenBench

  private func bench(_ toDo: ClosedRange<UInt64>, done: [UInt64] = []) -> Bench {
    Bench(toDo.map { Bench.item($0) } + done.map { Bench.item($0, done: true) })
  }

  @Test func selection_whenItemIsDeleted_movesToNext() {
    var bench = bench(1...4)
    bench.press(.down)
    bench.delete(2)
    #expect(bench.selected == 3)
    bench.press(.end)
    bench.delete(4)
    #expect(bench.selected == 3)
    bench.delete(3)
    bench.delete(1)
    #expect(bench.selected == nil)
  }

  @Test func selection_whenItemIsChecked_staysInSection() {
    var bench = bench(1...3, done: [9])
    bench.press(.down)
    bench.put(Bench.item(2, done: true, revision: 2))
    #expect(bench.selected == 3)
    bench.put(Bench.item(3, done: true, revision: 3))
    #expect(bench.selected == 1)
    bench.put(Bench.item(1, done: true, revision: 4))
    #expect(bench.selected == 9)
    bench.put(Bench.item(9, revision: 5))
    #expect(bench.selected == 3)
  }

  @Test func selection_whenItemLeavesFilter_movesToNext() {
    var bench = Bench([Bench.item(1, "Milk"), Bench.item(2, "Milk"), Bench.item(3, "Rent"), Bench.item(4, "Milk")])
    bench.type("/milk")
    bench.press(.enter, .down)
    bench.put(Bench.item(2, "Bread", revision: 2))
    #expect(bench.selected == 4)
  }

  @Test func selection_whileListLoads_staysAtTop() {
    var bench = Bench(waiting: .all)
    bench.apply(.snapshotPage([Bench.item(5)]))
    #expect(bench.selected == 5)
    bench.apply(.snapshotPage([Bench.item(2)]))
    #expect(bench.selected == 2)
    bench.press(.down)
    bench.apply(.snapshotPage([Bench.item(1)]))
    #expect(bench.selected == 5)
  }

  @Test func select_whenItemArrivesLater_selectsIt() {
    var bench = bench(1...3)
    bench.screen.select(Sample.id(4))
    #expect(bench.screen.selectedItem == Sample.id(4))
    bench.send(.resumed)
    #expect(bench.selected == 1)
    bench.put(Bench.item(4, revision: 2))
    #expect(bench.selected == 4)
    bench.screen.select(Sample.id(2))
    bench.send(.resumed)
    #expect(bench.selected == 2)
  }

  @Test func selection_afterRestart_stays() {
    var bench = bench(1...3)
    bench.press(.down)
    bench.apply(.restarted)
    bench.apply(.snapshotPage([Bench.item(2, revision: 5), Bench.item(3), Bench.item(4)]))
    #expect(bench.selected == 2)
    bench.apply(.snapshotEnd(Revision(5)))
    #expect(bench.shown == [2, 3, 4])
    #expect(bench.selected == 2)
  }

  @Test func pointer_selectsRows() {
    var bench = bench(1...30, done: [31])
    bench.send(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: 4, column: 7))))
    #expect(bench.selected == 4)
    bench.send(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: 0, column: 0))))
    #expect(bench.selected == 4)
    bench.send(.pointer(PointerEvent(kind: .wheelDown, position: ScreenPosition(row: 0, column: 0))))
    #expect(bench.selected == 7)
    bench.send(.pointer(PointerEvent(kind: .wheelUp, position: ScreenPosition(row: 0, column: 0))))
    #expect(bench.selected == 4)
  }

  /// Compares the selection with a model, a sorted array, while random items change.
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func selection_whenItemsChangeAtRandom_staysWithItem(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var model: [UInt64: ToDoItem] = [:]
    for number in 1...40 as ClosedRange<UInt64> {
      model[number] = Bench.randomItem(number, revision: 1, &generator)
    }
    var bench = Bench(Array(model.values))
    for step in 2...150 as ClosedRange<Int64> {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: bench.press(.down)
      case 1: bench.press([.up, .end, .home, .tab].randomElement(using: &generator) ?? .up)
      case 2: bench.type("s")
      default: break
      }
      let (selected, before) = (bench.selected ?? 0, sorted(model, bench.screen.sections.order))
      let number = UInt64.random(in: 1...60, using: &generator)
      if model[number] != nil, Bool.random(using: &generator) {
        model[number] = nil
        bench.delete(number)
      } else {
        let item = Bench.randomItem(number, revision: step, &generator)
        model[number] = item
        bench.put(item)
      }
      let after = sorted(model, bench.screen.sections.order)
      #expect(bench.shown == after.map(\.number.value))
      #expect(bench.selected == expectedSelection(selected, before, after))
      #expect(bench.drawing.texts.count { $0.hasPrefix(">") } == (after.isEmpty ? 0 : 1))
    }
  }

  private func sorted(_ model: [UInt64: ToDoItem], _ order: RowOrder) -> [ToDoItem] {
    let items = order.sorted(model.values.map(ListedItem.init)).map(\.item)
    return items.filter { !$0.isDone } + items.filter(\.isDone)
  }

  private func expectedSelection(_ selected: Int64, _ before: [ToDoItem], _ after: [ToDoItem]) -> Int64? {
    guard let index = before.firstIndex(where: { $0.number.value == selected }) else {
      return after.first?.number.value
    }
    let isDone = before[index].isDone
    if after.contains(where: { $0.number.value == selected && $0.isDone == isDone }) { return selected }
    // The next item of the section, or else the last one.
    let section = after.filter { $0.isDone == isDone }
    let following = before[index...].dropFirst().filter { $0.isDone == isDone }.map(\.number)
    let next = section.first { following.contains($0.number) }
    return (next ?? section.last ?? (isDone ? after.last : after.first))?.number.value
  }
}
