import Synchronization
import ToDoModel

/// Rules of repetitions by their texts, so that a rule that many rows contain is parsed once.
final class KnownRules: Sendable {
  private let limit: Int
  private let parse: @Sendable (String) -> Repetition.Rule?
  private let rules = Mutex<[String: Repetition.Rule]>([:])

  /// The rules of all stores in the process.
  static let shared = KnownRules(limit: 1_024) { Repetition.Rule($0) }

  /// - Parameters:
  ///   - limit: the number of rules to remember, after which all are forgotten.
  ///   - parse: parses a rule.
  init(limit: Int, parse: @escaping @Sendable (String) -> Repetition.Rule?) {
    (self.limit, self.parse) = (limit, parse)
  }

  /// Returns the rule whose description a text is, or `nil` if it is none.
  func rule(_ text: String) -> Repetition.Rule? {
    if let known = rules.withLock({ $0[text] }) { return known }
    guard let rule = parse(text), rule.description == text else { return nil }
    rules.withLock { rules in
      if rules.count >= limit { rules = [:] }
      rules[text] = rule
    }
    return rule
  }
}
