import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct DetailStepTests {
  private func item(_ done: Bool..., revision: Int64 = 3) -> ToDoItem {
    var item = ToDoItem.listed(1, "Paint the door", revision: revision)
    item.content.steps = done.enumerated().map { Step("Step \($0.offset + 1)", isDone: $0.element) }
    return item
  }

  private func marks(_ bench: SingleScreenBench<DetailScreen>) -> [Bool] {
    bench.drawing.texts.filter { $0.contains("] Step ") }.map { $0.contains("[x]") }
  }

  private func effect(_ item: ToDoItem) -> ScreenAction {
    .perform(.setSteps(item.id, item.steps, ifRevision: item.revision))
  }

  @Test func space_onSelectedStep_checksIt() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item(false, false, true)])
    bench.press(.character("j"), .character("j"))
    #expect(bench.screen.steps.selected == 1)
    #expect(bench.drawing.hints.first == KeyHint("Space", "check step"))
    #expect(bench.press(.character(" ")) == [effect(item(false, true, true))])
    #expect(marks(bench) == [false, true, true])
    // The next change follows when the first is saved.
    #expect(bench.press(.character("1"), .character(" ")) == [])
    #expect(marks(bench) == [true, true, true])
    let saved = item(false, true, true, revision: 4)
    let next = item(true, true, true, revision: 4)
    #expect(bench.handle(.result(.stepsSet(saved.id, .success(saved)))) == [effect(next)])
    bench.put(item(true, true, true, revision: 5))
    #expect(bench.handle(.result(.stepsSet(saved.id, .success(item(true, true, true, revision: 5))))) == [])
    #expect(marks(bench) == [true, true, true])
    bench.press(.escape)
    #expect(bench.press(.character(" ")) == [.perform(.check(Sample.id(1))), .outcome(.closed)])
  }

  @Test func change_whenItFails_isTakenBack() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item(false)])
    bench.press(.character("k"), .character(" "))
    #expect(marks(bench) == [true])
    let failure = EffectFailure(kind: .changedElsewhere, message: "no")
    bench.handle(.result(.stepsSet(Sample.id(1), .failure(failure))))
    #expect(marks(bench) == [false])
  }

  @Test func keys_withoutSteps_doNothing() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item()])
    #expect(bench.press(.character("j"), .character("1")) == [])
    #expect(bench.screen.steps.selected == nil)
  }
}
