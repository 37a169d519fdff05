import ToDoModel

/// Reads an address: which places of the gazetteer it can mean.
///
/// Each name in it that leads to a place gives an interpretation, which other names can support: the region and the country that
/// the place lies in, or a larger town close by. The interpretations that are supported best remain, of those the ones where the
/// name is the whole of a part of the address, and is furthest at its end. All that remains is then about one name: its
/// places are ordered by how well it names them, and by the distance from the bias, or by their population.
///
/// **Streets** are not looked for, and what belongs to a street's name is no town. A region or a country is only meant
/// when nothing else is said: the middle of a country is no answer to the name of a village that is not known.
struct AddressInterpreter {
  private let file: GazetteerFile
  private let text: FoldedText
  private let streets: [Bool]
  private let spans: [NamedSpan]
  private let context: AddressContext

  init(_ address: String, in file: GazetteerFile) {
    self.file = file
    text = FoldedText(address, by: FoldTable(entries: file.folds, pool: file.pool))
    let finder = SpanFinder(text, in: file)
    streets = finder.streets
    spans = finder.spans().filter { !$0.isStreet }
    context = AddressContext(spans, in: file)
  }

  /// The best first; each of another place.
  func interpretations(near bias: Coordinate?) -> [Interpretation] {
    var best: [Interpretation] = []
    for index in spans.indices {
      for posting in spans[index].postings {
        guard let interpretation = interpretation(of: posting, in: index) else { continue }
        if let first = best.first, !interpretation.ranksEqually(with: first) {
          guard Interpretation.isBetter(interpretation, first) else { continue }
          best.removeAll(keepingCapacity: true)
        }
        best.append(interpretation)
      }
    }
    return ordered(best, near: bias)
  }

  private func ordered(_ interpretations: [Interpretation], near bias: Coordinate?) -> [Interpretation] {
    let ranked = interpretations.map { interpretation in
      (
        interpretation, interpretation.quality,
        bias.map { interpretation.place.coordinate.distance(to: $0) } ?? -Double(interpretation.place.weight)
      )
    }
    // The number last, so that the order is the same every time.
    return ranked.sorted { ($0.1, $0.2, $0.0.record) < ($1.1, $1.2, $1.0.record) }.map(\.0)
  }

  private func interpretation(of posting: NameIndex.Posting, in index: Int) -> Interpretation? {
    guard let place = file.record(posting.record) else { return nil }
    let span = spans[index]
    guard !context.contradicts(place, named: index) else { return nil }
    let support = context.support(of: place, named: index)
    guard isPlausible(place, posting.quality, span, support) else { return nil }
    // An abbreviation alone, as in "NYC, USA", but not the "de" of a street.
    if posting.quality == .code, !span.isWholePart || text.words.count > 1 && support.weight == 0 { return nil }
    // What another place was called once matters where nothing is called so.
    if posting.quality == .secondaryName, support.weight == 0, span.postings.contains(where: { $0.quality == .name }) {
      return nil
    }
    return Interpretation(
      record: posting.record, place: place, quality: posting.quality, span: span, supportWeight: support.weight)
  }

  /// A region or a country has to be all that is said; a place's name has to stand out among unknown words.
  private func isPlausible(
    _ place: GazetteerRecord, _ quality: NameIndex.Quality, _ span: NamedSpan, _ support: AddressContext.Support
  ) -> Bool {
    let isExplained = { (word: Int) in
      span.words.contains(word) || text.words[word].belongsToNumber || support.words.contains { $0.contains(word) }
    }
    guard place.kind == .place else { return text.words.indices.allSatisfy(isExplained) }
    if span.isWholePart { return true }
    let isAlone = text.words.indices.allSatisfy { word in
      text.words[word].part != span.part || isExplained(word) || streets[word]
    }
    return isAlone || support.weight > 0 || quality == .name && isProminent(place, span)
  }
}

// MARK: - Trust

extension AddressInterpreter {
  /// Whether a name is trusted between words that nothing explains: "at work" is not in Ath, but "Wien Hauptbahnhof" is in
  /// Vienna. The shorter it is, the more people have to live there.
  private func isProminent(_ place: GazetteerRecord, _ span: NamedSpan) -> Bool {
    let name = text.text(of: span.words)
    switch name.unicodeScalars.count {
    case 6...: return place.weight >= 20_000
    case 4...5: return place.weight >= 1_000_000 || place.weight >= 100_000 && isOwnName(name, of: place)
    default: return place.weight >= 100_000 && !name.utf8.allSatisfy { $0 < 0x80 }
    }
  }

  private func isOwnName(_ name: String, of place: GazetteerRecord) -> Bool {
    let own = FoldedText(file.text(place.name), by: FoldTable(entries: file.folds, pool: file.pool))
    return !own.words.isEmpty && own.text(of: own.words.indices) == name
  }
}
