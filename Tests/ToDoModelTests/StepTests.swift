import Foundation
import Testing

@testable import ToDoModel

@Suite struct StepTests {
  @Test(
    arguments: [
      ("", "", nil, nil), ("", "-a", nil, "0/1: [ ] a"), ("+a", "", "1/1: [x] a", nil),
      ("-a-b", "+a-b", "0/2: [ ] a", "1/2: [x] a"), ("-a-b", "-a-c-b", "0/2", "0/3: [ ] c"),
      ("-a-b+c", "-a+c", "1/3: [ ] b", "1/2"), ("-a-b", "-c-b", "0/2: [ ] a", "0/2: [ ] c"),
      ("-a-b-c", "+a+b-c", "0/3: [ ] a; [ ] b", "2/3: [x] a; [x] b"),
      ("-a-b-c", "+a-b+c", "0/3: [ ] a; [ ] c", "2/3: [x] a; [x] c"),
      ("-a-b-c", "-b-a-c", "0/3: [ ] a; [ ] b", "0/3: [ ] b; [ ] a"),
    ] as [(String, String, String?, String?)])
  func differences_nameStepsThatDiffer(_ old: String, _ new: String, _ from: String?, _ to: String?) {
    let texts = Step.differences(from: steps(old), to: steps(new))
    #expect(texts.from == from && texts.to == to)
  }

  @Test func change_lateInALongStep_isAnExcerptOfIt() throws {
    let long = String(repeating: "word ", count: 60)
    let (old, new) = (item(Step(long + "red")), item(Step(long + "blue")))
    let change = try #require(FieldChange.differences(from: old, to: new).first)
    guard change.field == .steps, case .text(let from) = change.from, case .text(let to) = change.to else {
      Issue.record("\(change)")
      return
    }
    #expect(from.hasPrefix("…") && from.hasSuffix("word red") && to.hasSuffix("word blue"))
  }

  private func item(_ steps: Step...) -> ToDoItem {
    let time = Timestamp(microseconds: 5)
    return ToDoItem(
      id: ItemID(high: 0, low: 1), number: .unknown, content: ItemContent(title: "a", steps: steps), createdAt: time,
      updatedAt: time, revision: .initial)
  }

  @Test(arguments: [("{\"text\": \"a\"}", false), ("{\"text\": \"a\", \"done\": true}", true)])
  func step_isDecoded(_ json: String, isDone: Bool) throws {
    #expect(try JSONDecoder().decode(Step.self, from: Data(json.utf8)) == Step("a", isDone: isDone))
  }

  private func steps(_ text: String) -> [Step] {
    var steps: [Step] = []
    for character in text {
      if character == "-" || character == "+" {
        steps.append(Step("", isDone: character == "+"))
      } else {
        steps[steps.count - 1].text.append(character)
      }
    }
    return steps
  }

  @Test func item_waitsUntilTime_unlessDone() {
    let time = Timestamp(microseconds: 5)
    var item = ToDoItem(
      id: ItemID(high: 0, low: 1), number: .unknown, content: ItemContent(title: "a", waitUntil: time), createdAt: time,
      updatedAt: time, revision: .initial)
    #expect([4, 5, 6].map { item.isWaiting(at: Timestamp(microseconds: $0)) } == [true, false, false])
    item.completedAt = time
    #expect(!item.isWaiting(at: Timestamp(microseconds: 4)))
  }
}
