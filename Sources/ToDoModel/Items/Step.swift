/// A line of an item's checklist.
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
  /// Describes a change of steps: how many are done, and the steps that differ, each with a box before it, as in
  /// `3/7: [x] Pack` from `2/7: [ ] Pack`. `nil` stands for no steps.
  package static func differences(from old: [Step], to new: [Step]) -> (from: String?, to: String?) {
    guard old != new else { return (nil, nil) }
    let start = zip(old, new).prefix(while: ==).count
    let end = zip(old[start...].reversed(), new[start...].reversed()).prefix(while: ==).count
    let (former, latter) = (old[start...].dropLast(end), new[start...].dropLast(end))
    let common = Set(former).intersection(latter)
    var (removed, inserted) = (former.filter { !common.contains($0) }, latter.filter { !common.contains($0) })
    // Only the order differs.
    if removed.isEmpty, inserted.isEmpty { (removed, inserted) = (Array(former), Array(latter)) }
    return (summary(old, removed.map(\.line)), summary(new, inserted.map(\.line)))
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

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(String.self, forKey: .text),
      isDone: try container.decodeIfPresent(Bool.self, forKey: .isDone) ?? false)
  }
}
