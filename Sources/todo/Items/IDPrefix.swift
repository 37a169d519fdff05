import ToDoModel

/// A prefix of an item's ID as users write it: hexadecimal digits in either case, with or without hyphens.
struct IDPrefix: Equatable, Sendable {
  /// The digits of the prefix, padded with zeros.
  private let id: ItemID
  /// The number of digits in the prefix: 1 to 32.
  private let count: Int

  /// Parses a prefix, or returns `nil` if the text is not one.
  init?(_ text: String) {
    let digits = text.filter { $0 != "-" }
    guard (1...32).contains(digits.count), digits.allSatisfy({ $0.isASCII && $0.isHexDigit }) else { return nil }
    let padded = digits + String(repeating: "0", count: 32 - digits.count)
    guard let high = UInt64(padded.prefix(16), radix: 16), let low = UInt64(padded.suffix(16), radix: 16) else {
      return nil
    }
    id = ItemID(high: high, low: low)
    count = digits.count
  }

  /// Returns whether an ID begins with the prefix.
  func matches(_ other: ItemID) -> Bool { id.sharedDigits(with: other) >= count }

  /// The ID, if the prefix is a complete one.
  var wholeID: ItemID? { count == 32 ? id : nil }
}

extension ItemID {
  /// Returns the number of leading hexadecimal digits that two IDs share: 0 to 32.
  func sharedDigits(with other: ItemID) -> Int {
    let shared = (high ^ other.high).leadingZeroBitCount / 4
    return shared < 16 ? shared : 16 + (low ^ other.low).leadingZeroBitCount / 4
  }

  /// Returns the canonical text, truncated to a number of digits.
  func prefix(digits count: Int) -> String {
    // Hyphens follow digits 8, 12, 16 and 20.
    let hyphens = [8, 12, 16, 20].filter { $0 < count }.count
    return String(description.prefix(count + hyphens))
  }

  /// A prefix that is probably unique, for use without the IDs of the other items. It has 48 bits, which are the time in an
  /// ID that `todo` generated.
  ///
  /// Two such items share the prefix only if they were added in the same millisecond.
  var likelyUniquePrefix: String { prefix(digits: 12) }
}
