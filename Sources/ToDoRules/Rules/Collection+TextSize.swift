extension Collection {
  /// As many of the first elements as have no more text than that, but at least one of those there are.
  ///
  /// - Parameter size: how many bytes of text an element has.
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
