import ToDoModel

/// One way to read an address: this name in it is that place, and other names in it say where that lies.
struct Reading {
  let record: Int
  let place: GazetteerRecord
  let quality: NameIndex.Quality
  let span: NamedSpan
  /// The sum of the weights of the names that agree.
  let agreement: Int
}

extension Reading {
  /// Whether one reading of an address makes more sense than another; equal ones mean the same name in it.
  static func isBetter(_ left: Reading, _ right: Reading) -> Bool {
    left.sense < right.sense
  }

  func makesAsMuchSense(as other: Reading) -> Bool { sense == other.sense }

  /// The less, the better; the first that differ decide.
  private var sense: (Int, Int, Int, Int, Int) {
    (
      -agreement,
      span.isWholePart ? 0 : 1,
      // "5 Main Street, Springfield": what is larger follows, but where it leads: "東京都 渋谷".
      span.isUnspaced ? span.part : -span.part,
      -span.words.count,
      span.isUnspaced ? span.bytes.lowerBound : -span.words.lowerBound
    )
  }
}
