extension Collection {
  /// Returns the longest prefix whose text is within a limit, but at least the first element, if any.
  ///
  /// - Parameter size: returns the size of an element's text, in bytes.
  func prefix(ofTextSize limit: Int, _ size: (Element) -> Int) -> SubSequence {
    var (total, count) = (0, 0)
    for element in self {
      total += size(element)
      if total > limit, count > 0 { break }
      count += 1
    }
    return prefix(count)
  }
}
