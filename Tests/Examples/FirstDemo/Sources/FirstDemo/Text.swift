extension String {
  /// The number of letters a, e, i, o and u, in either case.
  public var vowelCount: Int { count { "aeiouAEIOU".contains($0) } }

  /// The text with a capital at the start of each word, as in a headline. Other letters stay as they are.
  public var headline: String {
    var isStart = true
    return String(
      flatMap { character -> String in
        defer { isStart = character.isWhitespace }
        return isStart ? character.uppercased() : String(character)
      })
  }
}
