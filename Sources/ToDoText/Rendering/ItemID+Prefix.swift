package import ToDoModel

extension ItemID {
  /// Returns the number of leading hexadecimal digits that two IDs share: 0 to 32.
  package func sharedDigits(with other: ItemID) -> Int {
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

extension ToDoItem {
  /// The text by which people refer to the item: its number, or a part of its ID if the server does not number items. The name
  /// of the list precedes it if `PrintedList` says so.
  package var shortReference: String {
    PrintedList.prefix + (number == .unknown ? id.likelyUniquePrefix : number.description)
  }
}

extension PlaceReminder {
  /// The text by which people refer to the item, as for an item.
  package var shortReference: String {
    PrintedList.prefix + (number == .unknown ? item.likelyUniquePrefix : number.description)
  }
}
