/// One interpretation of an address: a name in it refers to a place, and other names in it support that.
struct Interpretation {
  let record: Int
  let place: GazetteerRecord
  let quality: NameIndex.Quality
  let span: NamedSpan
  /// The sum of the supporting names' weights.
  let supportWeight: Int
}

extension Interpretation {
  /// Returns whether one interpretation of an address ranks higher than another.
  static func isBetter(_ left: Interpretation, _ right: Interpretation) -> Bool {
    left.rank < right.rank
  }

  /// Returns whether two interpretations of an address rank equally, which means that they use the same name in it.
  func ranksEqually(with other: Interpretation) -> Bool { rank == other.rank }

  /// The rank, compared element by element. A lower rank is better.
  private var rank: (Int, Int, Int, Int, Int) {
    (
      -supportWeight,
      span.isWholePart ? 0 : 1,
      // Larger areas follow smaller ones, as in "5 Main Street, Springfield", except in scripts such as "東京都 渋谷".
      span.isUnspaced ? span.part : -span.part,
      -span.words.count,
      span.isUnspaced ? span.bytes.lowerBound : -span.words.lowerBound
    )
  }
}
