extension String {
  /// The text with blanks instead of tabs and line breaks, and without white space at both ends.
  package var oneLine: String {
    let line = split(omittingEmptySubsequences: false) { $0.isNewline || $0 == "\t" }.joined(separator: " ")
    guard let end = line.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(line[...end].drop(while: \.isWhitespace))
  }
}
