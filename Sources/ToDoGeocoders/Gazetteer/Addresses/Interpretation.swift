import ToDoModel

/// One way to read an address: this name in it is that place, and other names in it say where that lies.
struct Interpretation {
  let record: Int
  let place: GazetteerRecord
  let quality: NameIndex.Quality
  let span: NamedSpan
  /// The sum of the weights of the names that agree.
  let supportWeight: Int
}

extension Interpretation {
  /// Whether one interpretation of an address makes more sense than another; equal ones mean the same name in it.
  static func isBetter(_ left: Interpretation, _ right: Interpretation) -> Bool {
    left.rank < right.rank
  }

  func ranksEqually(with other: Interpretation) -> Bool { rank == other.rank }

  /// The less, the better; the first that differ decide.
  private var rank: (Int, Int, Int, Int, Int) {
    (
      -supportWeight,
      span.isWholePart ? 0 : 1,
      // "5 Main Street, Springfield": what is larger follows, but where it leads: "東京都 渋谷".
      span.isUnspaced ? span.part : -span.part,
      -span.words.count,
      span.isUnspaced ? span.bytes.lowerBound : -span.words.lowerBound
    )
  }
}
