import ToDoModel
import ToDoText

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
