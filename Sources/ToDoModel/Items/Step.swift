/// A step of an item: a line of its checklist.
public struct Step: Hashable, Sendable {
  /// The text. It is required, not blank, and at most `ItemContent.Limits.step` bytes of UTF-8.
  public var text: String
  /// Whether the step is done.
  public var isDone: Bool

  /// Creates a step.
  public init(_ text: String, isDone: Bool = false) {
    self.text = text
    self.isDone = isDone
  }

  /// The size that a step has in addition to its text, in bytes.
  package static let overhead = 3

  /// The size of steps: their texts in UTF-8, and `overhead` for each.
  package static func size(of steps: [Step]) -> Int { steps.reduce(0) { $0 + overhead + $1.text.utf8.count } }
}

extension Step {
  /// Describes a change of steps by the number of done ones and the steps that differ, each with a box before it, as in
  /// `3/7: [x] Pack` from `2/7: [ ] Pack`. `nil` stands for no steps.
  package static func differences(from old: [Step], to new: [Step]) -> (from: String?, to: String?) {
    guard old != new else { return (nil, nil) }
    var (removed, inserted): ([String], [String]) = ([], [])
    for change in new.difference(from: old) {
      switch change {
      case .remove(_, let step, _): removed.append(step.line)
      case .insert(_, let step, _): inserted.append(step.line)
      }
    }
    // A difference lists removals from the last to the first.
    return (summary(old, removed.reversed()), summary(new, inserted))
  }

  private var line: String { (isDone ? "[x] " : "[ ] ") + text }

  private static func summary(_ steps: [Step], _ lines: [String]) -> String? {
    guard !steps.isEmpty else { return nil }
    let count = "\(steps.count(where: \.isDone))/\(steps.count)"
    return lines.isEmpty ? count : "\(count): \(lines.joined(separator: "; "))"
  }
}

/// The keys are `text` and `done`.
extension Step: Codable {
  private enum CodingKeys: String, CodingKey {
    case text
    case isDone = "done"
  }
}
