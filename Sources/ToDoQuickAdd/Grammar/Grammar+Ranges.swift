extension Grammar {
  // MARK: In one word

  private enum End { case day, time, number }

  /// Reads a range without blanks: `9-10am`, `14:00-16:00`, `14-16 Uhr`, `7-11 dec`, `mon..fri`.
  func compactRange(_ position: Int) -> Piece? {
    for separator in ["..", "-", "–"] {
      let parts = words[position].key.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 2, let first = end(parts[0]), let second = end(parts[1]) else { continue }
      switch (first, second) {
      case (.day, .day), (.time, .time), (.time, .number), (.number, .time):
        return Piece(kind: .range(ends(parts, position)), range: position..<position + 1)
      case (.number, .number):
        guard words[position].trailing.isEmpty, let end = unitOfRange(position + 1) else { continue }
        return Piece(kind: .range([]), range: position..<end)
      default: continue
      }
    }
    return nil
  }

  private func end(_ text: Substring) -> End? {
    let reader = reader.reading([Word(text)])
    if let time = reader.time(0), !time.isBare { return .time }
    if text.utf8.count <= 2, Int(text) != nil { return .number }
    return reader.day(0) == nil ? nil : .day
  }

  /// Returns the days or the times of a range in one word.
  private func ends(_ parts: [Substring], _ position: Int) -> [Piece] {
    parts.compactMap { text in
      let (reader, range) = (reader.reading([Word(text)]), position..<position + 1)
      if let time = reader.time(0), !time.isBare { return Piece(kind: .time(time), range: range) }
      return reader.day(0).map { Piece(kind: .day($0), range: range) }
    }
  }

  /// Returns the position after `Uhr`, `pm` or the name of a month.
  private func unitOfRange(_ position: Int) -> Int? {
    if let month = reader.month(position) { return month.end }
    guard position < words.count, words[position].key.count > 1 else { return nil }
    return reader.skip(position, .oClock) ?? reader.skip(position, .pm) ?? reader.skip(position, .am)
  }

  // MARK: In several

  /// Joins the ends of ranges: `10am - 11am`, `from 2 to 4pm`, `1 dec - 14 dec`.
  func joiningRanges(_ pieces: [Piece]) -> [Piece] {
    var result: [Piece] = []
    for piece in pieces {
      if let last = result.last, isRange(last, piece) {
        result[result.count - 1] = Piece(
          kind: .range([last, piece]), range: last.range.lowerBound..<piece.range.upperBound)
      } else if let start = hour(before: piece) {
        result.append(Piece(kind: .range([]), range: start..<piece.range.upperBound))
      } else {
        result.append(piece)
      }
    }
    return result
  }

  private func isRange(_ first: Piece, _ second: Piece) -> Bool {
    switch (first.kind, second.kind) {
    case (.day, .day), (.time, .time): break
    default: return false
    }
    if first.range.upperBound == second.range.lowerBound {
      return second.hasConnective && reader.skip(second.range.lowerBound, .through) != nil
    }
    return reader.skip(first.range.upperBound, .through) == second.range.lowerBound
  }

  /// Returns the position of the hour in `2 to 4pm` before `4pm`.
  private func hour(before piece: Piece) -> Int? {
    guard case .time = piece.kind else { return nil }
    let start = piece.range.lowerBound
    let through = piece.hasConnective && reader.skip(start, .through) != nil ? start : start - 1
    guard through > 0, reader.skip(through, .through) ?? reader.skip(through, .and) != nil,
      words[through - 1].isNumber, words[through - 1].key.count <= 2
    else { return nil }
    return through - 1
  }
}
