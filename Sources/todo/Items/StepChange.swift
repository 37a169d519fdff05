import ToDoModel
import ToDoRPC
import ToDoText

/// A change to an item's steps, as `todo step` reads it.
enum StepChange: Equatable {
  case add([String])
  case check([ClosedRange<Int>])
  case uncheck([ClosedRange<Int>])
  case remove([ClosedRange<Int>])
  case edit(Int, String)
  case move(Int, to: Int)

  /// The names of the changes.
  static let names = ["add", "check", "uncheck", "edit", "remove", "move"]

  /// Reads a change from its name and the words after it.
  ///
  /// - Throws: `Failure` with the status `usage`.
  init(_ name: String, _ words: ArraySlice<String>) throws(Failure) {
    guard words.isEmpty || words.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw .usage("the text of the step is empty")
    }
    switch name {
    case "add":
      guard !words.isEmpty else { throw .usage("specify the text of the step, as in 'todo step 12 add Buy paint'") }
      self = .add([words.joined(separator: " ")])
    case "check": self = .check(try Self.ranges(words, name))
    case "uncheck": self = .uncheck(try Self.ranges(words, name))
    case "remove": self = .remove(try Self.ranges(words, name))
    case "edit":
      guard words.count > 1 else {
        throw .usage("specify the step and its new text, as in 'todo step 12 edit 2 Buy paint'")
      }
      self = .edit(try Self.number(words[words.startIndex]), words.dropFirst().joined(separator: " "))
    default:
      guard words.count == 2, let first = words.first, let last = words.last else {
        throw .usage("specify the step and its new position, as in 'todo step 12 move 3 1'")
      }
      self = .move(try Self.number(first), to: try Self.number(last))
    }
  }

  /// Returns the steps after the change.
  ///
  /// - Throws: `Failure` with the status `notFound` if there is no such step.
  func applied(to steps: [Step]) throws(Failure) -> [Step] {
    var steps = steps
    switch self {
    case .add(let texts): steps += texts.map { Step($0) }
    case .check(let ranges):
      for index in try Self.indices(ranges, in: steps) { steps[index].isDone = true }
    case .uncheck(let ranges):
      for index in try Self.indices(ranges, in: steps) { steps[index].isDone = false }
    case .remove(let ranges):
      let removed = Set(try Self.indices(ranges, in: steps))
      steps = steps.indices.filter { !removed.contains($0) }.map { steps[$0] }
    case .edit(let number, let text): steps[try Self.index(number, in: steps)].text = text
    case .move(let number, let position):
      let (source, target) = (try Self.index(number, in: steps), try Self.index(position, in: steps))
      steps.insert(steps.remove(at: source), at: target)
    }
    return steps
  }

  /// Whether the change means the same whatever the steps are.
  var isIndependent: Bool { if case .add = self { true } else { false } }

  // MARK: Numbers

  private static func ranges(_ words: ArraySlice<String>, _ name: String) throws(Failure) -> [ClosedRange<Int>] {
    guard !words.isEmpty else { throw .usage("specify the numbers of steps, as in 'todo step 12 \(name) 2-3'") }
    var ranges: [ClosedRange<Int>] = []
    for word in words.joined(separator: " ").split(whereSeparator: { $0 == "," || $0.isWhitespace }) {
      let ends = word.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      let (first, last) = (try number(ends[0]), try number(ends[ends.count - 1]))
      guard ends.count <= 2, first <= last else {
        throw .usage("'\(String(word).escapingControls())' is not a range of steps, such as 2-4")
      }
      ranges.append(first...last)
    }
    return ranges
  }

  private static func number(_ text: String) throws(Failure) -> Int {
    guard let number = Int(text), number > 0, text.first != "+" else {
      throw .usage("'\(text.escapingControls())' is not the number of a step; 'todo step <item>' prints the numbers")
    }
    return number
  }

  private static func indices(_ ranges: [ClosedRange<Int>], in steps: [Step]) throws(Failure) -> [Int] {
    var indices: [Int] = []
    for range in ranges {
      _ = try index(range.upperBound, in: steps)
      indices += range.map { $0 - 1 }
    }
    return indices
  }

  private static func index(_ number: Int, in steps: [Step]) throws(Failure) -> Int {
    guard number <= steps.count else {
      let count = steps.count == 1 ? "1 step" : "\(steps.count) steps"
      throw Failure(
        code: .notFound, reason: "STEP_NOT_FOUND", message: "there is no step \(number); the item has \(count)")
    }
    return number - 1
  }
}
