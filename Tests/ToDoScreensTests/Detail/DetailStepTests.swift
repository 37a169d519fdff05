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

  @Test func close_whileStepsAreUnsaved_waits() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item(false, false)])
    bench.press(.character("1"), .character(" "), .character("2"), .character(" "))
    #expect(bench.press(.escape, .character("q")) == [])
    let saved = item(true, false, revision: 4)
    let next = item(true, true, revision: 4)
    #expect(bench.handle(.result(.stepsSet(saved.id, .success(saved)))) == [effect(next)])
    #expect(bench.handle(.result(.stepsSet(saved.id, .success(next)))) == [.outcome(.closed)])
  }

  @Test func close_whenStepsCannotBeSaved_follows() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item(false)])
    bench.press(.character("1"), .character(" "), .escape, .character("q"))
    let failure = EffectFailure(kind: .changedElsewhere, message: "no")
    #expect(bench.handle(.result(.stepsSet(Sample.id(1), .failure(failure)))) == [.outcome(.closed)])
  }

  @Test(arguments: [" ", "d"] as [Character]) func itemKey_whileStepsAreUnsaved_isRefused(key: Character) {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item(false)])
    bench.press(.character("1"), .character(" "), .escape)
    #expect(bench.press(.character(key)) == [.message("the steps are still being saved")])
  }

  @Test func selection_whenStepsChange_staysWithItsStep() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item(false, false, false)])
    bench.press(.character("2"))
    var changed = item(false, false, false, revision: 4)
    changed.content.steps.removeFirst()
    bench.put(changed)
    #expect(bench.screen.steps.selected == 0)
    changed.content.steps.removeFirst()
    changed.revision = Revision(5)
    bench.put(changed)
    #expect(bench.screen.steps.selected == nil)
  }

  @Test func digit_ofNoStep_selectsNothing() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item(false, false)])
    bench.press(.character("2"))
    #expect(bench.press(.character("9")) == [.message("no step 9")])
    #expect(bench.screen.steps.selected == nil)
  }

  @Test func d_onSelectedStep_deletesNothing() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item(false)])
    let message = "d deletes the whole item; press Esc first, or e to edit its steps"
    #expect(bench.press(.character("1"), .character("d")) == [.message(message)])
  }

  @Test func keys_withoutSteps_doNothing() {
    var bench = SingleScreenBench(DetailScreen(Sample.id(1)), [item()])
    #expect(bench.press(.character("j"), .character("1")) == [])
    #expect(bench.screen.steps.selected == nil)
  }
}
