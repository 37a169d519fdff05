extension [UInt8] {
  /// Parses pairs of lower-case hexadecimal digits, or returns `nil` if the text has another form.
  package init?(hexadecimal text: Substring.UTF8View) {
    self = []
    reserveCapacity(text.count / 2)
    var high: UInt8?
    for digit in text {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: return nil
      }
      if let first = high { append(first << 4 | value) }
      high = high == nil ? value : nil
    }
    if high != nil { return nil }
  }
}
