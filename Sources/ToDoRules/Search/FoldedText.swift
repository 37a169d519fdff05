package import ToDoModel

/// A buffer of texts in the form in which `TextFilter` compares them.
///
/// Each text is lower case, canonically decomposed UTF-8 without accents and ends with `separator`. The time of folding is
/// proportional to the length.
package struct FoldedText {
  /// A byte that no folded text contains.
  package static let separator: UInt8 = 0xFF
  /// The replacement of a byte that is not valid UTF-8.
  static let invalid: UInt8 = 0xFE

  private var storage: [UInt8] = []
  /// The size of the folded texts, in bytes.
  package private(set) var count = 0

  /// Creates a value without texts.
  package init() {}

  /// Folds the texts of an item's content that are searched.
  init(of content: ItemContent) { append(content) }

  /// Folds the texts of an item's place.
  init(placeOf content: ItemContent) { append(placeOf: content) }

  /// Returns a folded text without a separator.
  package static func bytes(of text: String) -> [UInt8] {
    var (text, folded) = (text, FoldedText())
    text.withUTF8 { folded.append($0) }
    return folded.withBytes { Array($0.dropLast()) }
  }

  /// Removes all texts, and retains their memory for the next ones.
  package mutating func removeAll() { count = 0 }

  /// Appends a text.
  ///
  /// - Parameter utf8: the text in UTF-8. Bytes that are not valid UTF-8 match nothing.
  package mutating func append(_ utf8: UnsafeBufferPointer<UInt8>) {
    // No scalar's folded form has more than three times its bytes, and 16 bytes are written at a time.
    let capacity = count + 3 * utf8.count + 24
    if storage.count < capacity {
      storage.append(contentsOf: repeatElement(0, count: max(capacity, 2 * storage.count) - storage.count))
    }
    let start = count
    let table = ScalarFolding.low
    count = storage.withUnsafeMutableBufferPointer { output in
      table.entries.withUnsafeBufferPointer { entries in
        table.overflow.withUnsafeBufferPointer { overflow in
          guard let input = utf8.baseAddress, let output = output.baseAddress, let entries = entries.baseAddress,
            let overflow = overflow.baseAddress
          else { return start }
          var folder = TextFolder(input, utf8.count, to: output, from: start, entries, overflow)
          folder.run()
          return folder.count
        }
      }
    }
    storage[count] = Self.separator
    count += 1
  }

  /// Appends the texts of an item's content that are searched.
  package mutating func append(_ content: ItemContent) {
    append([content.title, content.itemDescription])
    append(placeOf: content)
  }

  /// Appends the texts of an item's place.
  mutating func append(placeOf content: ItemContent) { append([content.location?.name, content.location?.address]) }

  private mutating func append(_ texts: [String?]) {
    for text in texts {
      guard var text else { continue }
      text.withUTF8 { append($0) }
    }
  }

  /// Calls `body` with the bytes of all texts.
  package func withBytes<Value>(_ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value {
    try storage.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[..<count])) }
  }
}
