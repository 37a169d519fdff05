import Synchronization
import Testing
import ToDoModel

@testable import ToDoStores

@Suite struct KnownRulesTests {
  private final class Parser: Sendable {
    private let texts = Mutex<[String]>([])
    /// The texts that were parsed.
    var parsed: [String] { texts.withLock(\.self) }

    func parse(_ text: String) -> Repetition.Rule? {
      texts.withLock { $0.append(text) }
      return Repetition.Rule(text)
    }
  }

  private let parser = Parser()

  @Test func rule_isParsedOnce() {
    let rules = KnownRules(limit: 2) { [parser] in parser.parse($0) }
    for text in ["P3D", "FREQ=DAILY", "P3D", "FREQ=DAILY"] { #expect(rules.rule(text)?.description == text) }
    #expect(parser.parsed == ["P3D", "FREQ=DAILY"])
  }

  @Test func rules_beyondTheLimit_areForgotten() {
    let rules = KnownRules(limit: 2) { [parser] in parser.parse($0) }
    for text in ["P1D", "P2D", "P3D", "P3D", "P1D"] { #expect(rules.rule(text)?.description == text) }
    #expect(parser.parsed == ["P1D", "P2D", "P3D", "P1D"])
  }

  @Test(arguments: ["", "never", "freq=daily", "FREQ=DAILY;INTERVAL=1"]) func textThatIsNoDescription_isNone(
    _ text: String
  ) {
    let rules = KnownRules(limit: 2) { [parser] in parser.parse($0) }
    for _ in 1...2 { #expect(rules.rule(text) == nil) }
  }
}
