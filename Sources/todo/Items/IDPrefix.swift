import ToDoModel

/// The beginning of an item's id as a person writes it: hexadecimal digits, in either case, with hyphens or without.
struct IDPrefix: Equatable, Sendable {
  /// 1 to 32 digits in lower case.
  private let digits: String

  /// `nil` when the text is no beginning of an id.
  init?(_ text: String) {
    let digits = text.lowercased().filter { $0 != "-" }
    guard (1...32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    self.digits = digits
  }

  func matches(_ id: ItemID) -> Bool { id.digits.hasPrefix(digits) }

  /// The id, when the prefix is a whole one.
  var wholeID: ItemID? {
    guard digits.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    return ItemID(high: high, low: low)
  }
}

extension ItemID {
  /// The 32 hexadecimal digits without hyphens.
  var digits: String { description.filter { $0 != "-" } }

  /// The canonical text cut after so many digits.
  func prefix(digits count: Int) -> String {
    // Hyphens follow the digits 8, 12, 16 and 20.
    let hyphens = [8, 12, 16, 20].filter { $0 < count }.count
    return String(description.prefix(count + hyphens))
  }

  /// A prefix to name an item by that was not compared with the others: 48 bits, the time in an id that `todo` made.
  ///
  /// Two items share it only if both were added in the same millisecond.
  var likelyUniquePrefix: String { prefix(digits: 12) }
}
