import Testing
import ToDoTestSupport

@Suite struct DifferencesTests {
  private struct Chore: Equatable {
    var title: String
    var minutes: Int?
  }

  @Test(arguments: [
    (["a": 1], ["a": 1], []),
    (["a": 1], ["a": 1, "b": 2], ["b: missing"]),
    (["a": 1, "b": 2], ["a": 1], ["b: additional"]),
    (["a": 1], ["a": 2], ["a: 1, not 2"]),
    (["c": 1, "a": 1, "b": 3], ["b": 2, "d": 4, "a": 1], ["b: 3, not 2", "c: additional", "d: missing"]),
  ])
  func differences_ofValues_nameTheKeys(actual: [String: Int], expected: [String: Int], lines: [String]) {
    #expect(Differences(of: actual, from: expected).lines == lines)
  }

  @Test func differences_ofStructures_nameTheFields() {
    let differences = Differences(
      of: [1: Chore(title: "Sweep", minutes: nil), 2: Chore(title: "Wash", minutes: 20)],
      from: [1: Chore(title: "Sweep", minutes: 5), 2: Chore(title: "Dry", minutes: 10)])
    #expect(
      differences.lines == [
        "1: minutes is nil, not 5", #"2: title is "Wash", not "Dry""#, "2: minutes is 20, not 10",
      ])
  }
}
