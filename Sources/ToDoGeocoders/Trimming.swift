extension StringProtocol {
  /// The text without leading and trailing white space.
  var trimmingWhitespace: SubSequence {
    guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace }) else {
      return self[endIndex...]
    }
    return self[first...last]
  }

  /// The text with each run of white space replaced by one space, and without leading and trailing white space.
  var collapsingWhitespace: String {
    split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
