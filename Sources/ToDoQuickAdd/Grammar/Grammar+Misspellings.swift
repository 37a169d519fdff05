extension Grammar {
  /// Reads words that look like a day, a month or a time: `tmrw`, `wensday`, `25:00`, `2 hours before friday`.
  func unread(_ position: Int) -> Piece? {
    let word = words[position]
    if let end = reader.durationWithoutDay(position), isBoundary(end) {
      let text = words[position..<end].map(\.core).joined(separator: " ")
      return Piece(kind: .unread(text), range: position..<end)
    }
    if let end = reader.durationBefore(position), words.indices.contains(where: { reader.day($0) != nil }) {
      let text = words[position..<end].map(\.core).joined(separator: " ")
      return Piece(kind: .unread(text), range: position..<end)
    }
    if let end = roughDuration(position) ?? workdayOfMonth(position),
      isBoundary(end) || reader.vocabulary.capitalDays != .always
    {
      let text = words[position..<end].map(\.core).joined(separator: " ")
      return Piece(kind: .unread(text), range: position..<end)
    }
    let isUnread =
      (isImpossibleTime(word) && !isResult(position)) || reader.isWord(position, .misspelling) || isMisspelled(position)
      || isForeignDay(position)
    return isUnread ? Piece(kind: .unread(word.core), range: position..<position + 1) : nil
  }

  /// Reads a duration that ends on no certain day: `in 2-3 weeks`, `in 10 business days`.
  private func roughDuration(_ position: Int) -> Int? {
    guard let start = reader.skip(position, .ahead) ?? reader.skip(position, .within), start < words.count else {
      return nil
    }
    if let end = roughNumber(start) { return end }
    return reader.number(start).flatMap { reader.skip($0.end, .workday) }
  }

  /// Reads `last business day of the month`, which depends on holidays.
  private func workdayOfMonth(_ position: Int) -> Int? {
    reader.ordinal(position).flatMap { reader.skip($0.end, .workday) }.flatMap {
      reader.skip($0, .ofMonth) ?? reader.skip($0, .ofEveryMonth)
    }
  }

  private func isImpossibleTime(_ word: Word) -> Bool {
    var rest = word.core[...]
    guard let hour = rest.takeNumber(digits: 2...2), (25..<30).contains(hour), rest.popFirst() == ":",
      let minute = rest.takeNumber(digits: 2...2)
    else { return false }
    return rest.isEmpty && minute < 60
  }

  /// Whether minutes are a race time: `10 km in 27:30`, `a 25:30 mile`.
  private func isResult(_ position: Int) -> Bool {
    position > 0 && ["in", "en", "under", "sub", "unter"].contains(words[position - 1].key)
      || reader.isWord(position + 1, .measure)
  }

  /// Whether a word is a day in a language that the locale lacks: `Dinner morgen 19:00`, but not `Ms. Morgen`.
  private func isForeignDay(_ position: Int) -> Bool {
    (reader.isWord(position, .foreignNoun) || words[position].isLowercase && reader.isWord(position, .foreignDay))
      && !reader.isKnown(position)
  }

  private func isMisspelled(_ position: Int) -> Bool {
    let word = words[position]
    guard word.core.count >= 5, word.core.utf8.count <= Vocabulary.nameLengthLimit, word.core.allSatisfy(\.isLetter),
      !reader.isKnown(position),
      !reader.isWord(position, .lookalike)
    else { return false }
    let letters = Array(word.key)
    return reader.vocabulary.names.contains { name in
      letters.first == name.first && letters.distance(to: Array(name)) <= (name.count >= 8 ? 2 : 1)
    }
  }
}

extension Vocabulary {
  /// The length in bytes of the longest word that can be a misspelled name.
  fileprivate static let nameLengthLimit = 32

  /// Returns the word of a date that another, unknown word is probably meant to be: `tomorrow` for `tomorow` and `tmrw`.
  func nearestWord(to key: String) -> String? {
    let letters = Array(key)
    guard letters.count > 2, key.utf8.count <= Self.nameLengthLimit, letters.allSatisfy(\.isLetter),
      meanings(of: key).lexemes.isEmpty
    else { return nil }
    let candidates = words.filter { $0.first == key.first && $0.count > 3 && $0.allSatisfy(\.isLetter) }
    let nearest = candidates.map { (word: $0, distance: letters.distance(to: Array($0))) }
      .min { $0.distance < $1.distance }
    if let nearest, letters.count > 3, nearest.distance <= (letters.count > 6 ? 2 : 1) { return String(nearest.word) }
    return names.first { letters.first == $0.first && letters.isSubsequence(of: $0) }.map(String.init)
  }
}

extension [Character] {
  /// Whether all these letters are in a text, in this order.
  fileprivate func isSubsequence(of text: Substring) -> Bool {
    var rest = self[...]
    for letter in text where letter == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// The number of insertions, deletions, replacements and swaps of neighbors that turn these letters into others.
  fileprivate func distance(to other: [Character]) -> Int {
    var rows = [Array<Int>(0...other.count)]
    for row in indices {
      var values = [row + 1]
      for column in other.indices {
        let replaced = rows[row][column] + (self[row] == other[column] ? 0 : 1)
        var value = Swift.min(rows[row][column + 1] + 1, values[column] + 1, replaced)
        if row > 0, column > 0, self[row] == other[column - 1], self[row - 1] == other[column] {
          value = Swift.min(value, rows[row - 1][column - 1] + 1)
        }
        values.append(value)
      }
      rows.append(values)
    }
    return rows[count][other.count]
  }
}
