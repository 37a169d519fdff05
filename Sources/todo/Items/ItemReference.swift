import ToDoModel

/// A reference to items in the arguments of a command.
enum ItemReference: Equatable {
  /// The numbers of one or more items: `12`, `#12` or `5-8`.
  case numbers(ClosedRange<Int64>)
  /// An ID or a prefix of one, and its text.
  case id(IDPrefix, String)
  /// Words of a title.
  case title([String])

  /// The help of an argument that refers to items.
  static let help: String =
    "Numbers of items (12), ranges of them (5-8), IDs or prefixes of IDs, or whole words of a title."
  /// The help of an argument that refers to one item.
  static let singleHelp: String = "The number of the item, its ID or a prefix of it, or whole words of its title."

  /// The maximum length of a range, which one request can list.
  static let rangeLimit = ItemQuery.Limits.numbers

  /// Parses all arguments of a command. Either each is a separate reference, or all are words of one title.
  ///
  /// A text of digits is a number, unless further digits follow a leading 0, as in the IDs that `todo` generates. A text
  /// without a digit, such as "bad" or "cafe", is a word.
  ///
  /// - Throws: `Failure` with the status `usage` if an argument cannot refer to an item.
  static func parse(_ arguments: [UserText]) throws(Failure) -> [ItemReference] {
    var references: [ItemReference] = []
    let arguments = arguments.map(\.text)
    for argument in arguments {
      guard let reference = try numbers(argument) ?? id(argument) else {
        let words = arguments.flatMap { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
        guard words.contains(where: { $0.contains { $0.isLetter || $0.isNumber } }) else {
          throw .malformedReference(argument)
        }
        return [.title(words)]
      }
      references.append(reference)
    }
    return references
  }

  /// Whether the reference can only mean one item.
  var isSingle: Bool {
    if case .numbers(let range) = self { range.count == 1 } else { true }
  }

  private static func numbers(_ text: String) throws(Failure) -> ItemReference? {
    if let number = number(text) { return .numbers(number...number) }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]) else { return nil }
    guard first > 0 else { throw .usage("the range \(text) begins with 0; numbers begin with 1") }
    guard first <= last else { throw .usage("the range \(text) is empty; write \(last)-\(first)") }
    guard last - first < Int64(rangeLimit) else {
      throw .usage("the range \(text) has more than \(rangeLimit) numbers")
    }
    return .numbers(first...last)
  }

  private static func number(_ text: some StringProtocol) -> Int64? {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    // Every ID that `todo` generates begins with 0.
    if digits == "0" { return 0 }
    // A complete ID can consist of digits.
    guard digits.count < 19, digits.allSatisfy({ $0.isASCII && $0.isNumber }), !digits.hasPrefix("0") else {
      return nil
    }
    return Int64(digits)
  }

  private static func id(_ text: String) -> ItemReference? {
    text.contains(where: \.isNumber) ? IDPrefix(text).map { .id($0, text) } : nil
  }
}

extension Failure {
  /// The text cannot refer to an item.
  static func malformedReference(_ text: String) -> Failure {
    .usage(
      "'\(text.escapingControls())' is not an item; specify its number, its ID or words of its title",
      reason: "INVALID_ITEM_REFERENCE")
  }
}
