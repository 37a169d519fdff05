/// The differences between two dictionaries: missing keys, additional keys, and the differing fields of the others.
///
/// `#expect(Differences(of: actual, from: expected).lines == [])` names each of them when it fails.
public struct Differences: Equatable, Sendable {
  /// A line for each key or field that differs, sorted by key.
  public let lines: [String]

  public init<Key: Hashable & Comparable, Value: Equatable>(of actual: [Key: Value], from expected: [Key: Value]) {
    lines = Set(actual.keys).union(expected.keys).sorted().flatMap { key in
      switch (actual[key], expected[key]) {
      case (nil, _): ["\(key): missing"]
      case (_, nil): ["\(key): additional"]
      case (let actual?, let expected?): actual == expected ? [] : Self.fields(of: actual, from: expected, at: "\(key)")
      }
    }
  }

  /// Compares values without fields, such as numbers, as a whole.
  private static func fields(of actual: Any, from expected: Any, at path: String) -> [String] {
    let expectedFields = Mirror(reflecting: expected).children
    let differing = zip(Mirror(reflecting: actual).children, expectedFields).filter { text($0.value) != text($1.value) }
    guard !differing.isEmpty else { return ["\(path): \(text(actual)), not \(text(expected))"] }
    return differing.map { actual, expected in
      "\(path): \(actual.label ?? "value") is \(text(actual.value)), not \(text(expected.value))"
    }
  }

  private static func text(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .optional else { return String(reflecting: value) }
    return mirror.children.first.map { text($0.value) } ?? "nil"
  }
}
