import Testing
import ToDoModel

@testable import ToDoText

@Suite struct StepTextTests {
  @Test(
    arguments: [
      ("[ ] Sand\n[x] Paint", [Step("Sand"), Step("Paint", isDone: true)]),
      ("Sand\n\n  \nPaint", [Step("Sand"), Step("Paint")]),
      ("- [X] Sand\n- Paint", [Step("Sand", isDone: true), Step("Paint")]), ("[x]\n[ ]", []), ("", []),
      ("[ ] [x] odd", [Step("[x] odd")]), ("[] a", [Step("[] a")]),
    ] as [(String, [Step])])
  func text_isParsed(_ text: String, _ steps: [Step]) {
    #expect(StepText.parse(text) == steps)
    #expect(StepText.parse(StepText.text(of: steps)) == steps)
  }

  @Test func steps_areNumbered() {
    let steps = (1...10).map { Step("Step \($0)", isDone: $0 < 3) }
    #expect(StepText.numbered(steps)[1] == " 2 [x] Step 2")
    #expect(StepText.numbered(steps)[9] == "10 [ ] Step 10")
    #expect(StepText.progress(steps) == "2/10")
    #expect(StepText.facts(steps) == ["2/10 steps"])
    #expect(StepText.facts([Step("a")]) == ["0/1 step"])
  }
}
