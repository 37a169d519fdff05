/// Finds the items in a JSON text, so that each can be decoded by itself and an error can name its line.
///
/// It only finds where values end. Decoding them shows whether they are valid.
struct JSONSlices {
  /// A value in the text.
  struct Slice: Equatable {
    /// The line of the text in which the value begins, from 1.
    let line: Int
    let bytes: ArraySlice<UInt8>
  }

  /// A value at the top level of the text.
  struct Document: Equatable {
    let whole: Slice
    /// The elements of the array that the document is, or that its member `items` is, or else the document itself.
    let items: [Slice]
  }

  private let bytes: [UInt8]
  private var index = 0
  private var line = 1

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the values at the top level of a text.
  static func documents(in bytes: [UInt8]) -> [Document] {
    var scanner = JSONSlices(bytes)
    var documents: [Document] = []
    while let slice = scanner.next() {
      switch slice.bytes.first {
      case UInt8(ascii: "["): documents.append(Document(whole: slice, items: elements(of: slice)))
      case UInt8(ascii: "{"):
        documents.append(Document(whole: slice, items: listing(slice).map(elements) ?? [slice]))
      default: documents.append(Document(whole: slice, items: [slice]))
      }
    }
    return documents
  }

  private static func elements(of array: Slice) -> [Slice] {
    var scanner = JSONSlices(inside: array)
    var slices: [Slice] = []
    while let slice = scanner.next() { slices.append(slice) }
    return slices
  }

  /// Returns the array `items` of an object that is a listing. An object with a title is an item.
  private static func listing(_ object: Slice) -> Slice? {
    var scanner = JSONSlices(inside: object)
    var items: Slice?
    while let key = scanner.next(), let value = scanner.next() {
      if key.bytes.elementsEqual("\"title\"".utf8) { return nil }
      if key.bytes.elementsEqual("\"items\"".utf8), value.bytes.first == UInt8(ascii: "[") { items = value }
    }
    return items
  }

  /// Creates a scanner for the bytes between a value's brackets. A value that isn't closed has no last bracket.
  private init(inside slice: Slice) {
    let isClosed = slice.bytes.count > 1 && [UInt8(ascii: "]"), UInt8(ascii: "}")].contains(slice.bytes.last)
    bytes = Array(slice.bytes.dropFirst().dropLast(isClosed ? 1 : 0))
    line = slice.line
  }

  /// Returns the next value, after blanks, commas and colons; `nil` at the end.
  private mutating func next() -> Slice? {
    while index < bytes.count, Self.isBetweenValues(bytes[index]) { advance() }
    guard index < bytes.count else { return nil }
    let (start, line) = (index, line)
    var depth = 0
    repeat {
      switch bytes[index] {
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
      default: break
      }
      if index < bytes.count { advance() }
    } while index < bytes.count && (depth > 0 || !endsValue(startingAt: start))
    return Slice(line: line, bytes: bytes[start..<index])
  }

  /// Whether the value that began at `start` has ended before the current byte.
  private func endsValue(startingAt start: Int) -> Bool {
    switch bytes[start] {
    case UInt8(ascii: "\""), UInt8(ascii: "["), UInt8(ascii: "{"): true
    default: Self.isBetweenValues(bytes[index])
    }
  }

  /// Moves to the quote that ends the string which begins here, or to the end of the text.
  private mutating func skipString() {
    advance()
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      if bytes[index] == UInt8(ascii: "\\") { advance() }
      if index < bytes.count { advance() }
    }
  }

  private mutating func advance() {
    if bytes[index] == UInt8(ascii: "\n") { line += 1 }
    index += 1
  }

  private static func isBetweenValues(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: ","),
      UInt8(ascii: ":"):
      true
    default: false
    }
  }
}
