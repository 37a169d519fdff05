import ToDoModel

/// The beginning of an item's id as a person writes it: hexadecimal digits, in either case, with hyphens or without.
struct IDPrefix: Equatable, Sendable {
  /// The digits that were written, then zeros.
  private let id: ItemID
  /// How many were written: 1 to 32.
  private let count: Int

  /// `nil` when the text is no beginning of an id.
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

  func matches(_ other: ItemID) -> Bool { id.sharedDigits(with: other) >= count }

  /// The id, when the prefix is a whole one.
  var wholeID: ItemID? { count == 32 ? id : nil }
}

extension ItemID {
  /// How many hexadecimal digits the two have in common from the first on: 0 to 32.
  func sharedDigits(with other: ItemID) -> Int {
    let shared = (high ^ other.high).leadingZeroBitCount / 4
    return shared < 16 ? shared : 16 + (low ^ other.low).leadingZeroBitCount / 4
  }

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
