import ToDoModel

/// Determines the places of the gazetteer that an address can refer to.
///
/// Each record of each name in the address is an interpretation. Other names can support it: the region or the country
/// of the place, or a larger town nearby. The interpretations with the highest rank are returned. The rank prefers, in
/// this order, more support, a name that is a whole part of the address, a later part (an earlier part in scripts
/// without spaces), and a longer name. Interpretations of equal rank use the same name. They are ordered by the quality
/// of the name, then by the distance from the bias or, if there is no bias, by descending population.
///
/// **Streets** are not searched, and the words of a street's name are not towns. A region or country is returned only if
/// the address contains nothing else, because the center of a country is not a useful result for an unknown village.
struct AddressInterpreter {
  private let file: GazetteerFile
  private let text: FoldedAddress
  private let streets: [Bool]
  private let spans: [NamedSpan]
  private let context: AddressContext

  init(_ address: String, in file: GazetteerFile) {
    self.file = file
    text = FoldedAddress(address, by: FoldTable(entries: file.folds, pool: file.pool))
    let finder = SpanFinder(text, in: file)
    streets = finder.streets
    spans = finder.spans().filter { !$0.isStreet }
    context = AddressContext(spans, in: file)
  }

  /// Returns the interpretations with the highest rank, each of a different place.
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
    // The record index comes last, so that the order is deterministic.
    return ranked.sorted { ($0.1, $0.2, $0.0.record) < ($1.1, $1.2, $1.0.record) }.map(\.0)
  }

  private func interpretation(of posting: NameIndex.Posting, in index: Int) -> Interpretation? {
    guard let place = file.record(posting.record) else { return nil }
    let span = spans[index]
    guard !context.contradicts(place, named: index) else { return nil }
    let support = context.support(of: place, named: index)
    guard isPlausible(place, posting.quality, span, support) else { return nil }
    // An abbreviation must be a whole part with support, as in "NYC, USA", unlike the "de" of a street.
    if posting.quality == .code, !span.isWholePart || text.words.count > 1 && support.weight == 0 { return nil }
    // An unsupported secondary name counts only if no record has it as its name.
    if posting.quality == .secondaryName, support.weight == 0, span.postings.contains(where: { $0.quality == .name }) {
      return nil
    }
    return Interpretation(
      record: posting.record, place: place, quality: posting.quality, span: span, supportWeight: support.weight)
  }

  /// Returns whether an interpretation is plausible. A region or country must explain the whole address. The name of a
  /// place must be prominent if unknown words surround it.
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

// MARK: - Certainty

extension AddressInterpreter {
  /// Returns whether the best interpretation explains every word it was given, and uses the place's own name or
  /// an alternative name that hardly means anything else. Otherwise it is a guess: "Mumbai Central" is not in Central,
  /// Louisiana, and "Bank" not in Bānk, India.
  ///
  /// - Parameter interpretations: the interpretations with the highest rank, in any order.
  func isCertain(_ address: String, _ interpretations: [Interpretation]) -> Bool {
    // The best one without a bias.
    let best = interpretations.min {
      ($0.quality, -$0.place.weight, $0.record) < ($1.quality, -$1.place.weight, $1.record)
    }
    guard let best, best.quality != .code else { return false }
    let place = best.place
    guard explainsItsPart(best) else { return false }
    let own = file.text(place.name)
    if address.lowercased().contains(own.lowercased()) { return true }
    let name = String(decoding: text.bytes[best.span.bytes], as: UTF8.self)
    let length = name.unicodeScalars.count
    // A name in its own script is written on purpose.
    guard name.utf8.allSatisfy({ $0 < 0x80 }) else { return true }
    if isOwnName(name, of: place) { return length >= 6 || place.weight >= 100_000 }
    guard place.kind == .place else { return length >= 5 }
    return length >= 5 && place.weight >= 100_000 || length == 4 && place.weight >= 900_000
  }

  /// Returns whether an interpretation's name and support, a street and numbers are all that is in its part of the
  /// address.
  private func explainsItsPart(_ interpretation: Interpretation) -> Bool {
    let span = interpretation.span
    guard let index = spans.firstIndex(where: { $0.bytes == span.bytes }) else { return false }
    let support = context.support(of: interpretation.place, named: index)
    let others = text.words.indices.filter { text.words[$0].part == span.part && !span.words.contains($0) }
    let ignored = others.filter { word in
      !text.isNumber(word) && !support.words.contains { $0.contains(word) }
    }
    // Without a comma after a street, only the name of a large town is beyond doubt.
    let followsStreet = others.contains { $0 < span.words.lowerBound && (streets[$0] || text.isNumber($0)) }
    return ignored.isEmpty || followsStreet && interpretation.place.weight >= 200_000
  }
}

// MARK: - Prominence

extension AddressInterpreter {
  /// Returns whether a name is prominent enough to be recognized among unknown words: "at work" is not in Ath, but
  /// "Wien Hauptbahnhof" is in Vienna. The shorter the name, the higher the required population.
  private func isProminent(_ place: GazetteerRecord, _ span: NamedSpan) -> Bool {
    let name = text.text(of: span.words)
    switch name.unicodeScalars.count {
    case 6...: return place.weight >= 20_000
    case 4...5: return place.weight >= 1_000_000 || place.weight >= 100_000 && isOwnName(name, of: place)
    default: return place.weight >= 100_000 && !name.utf8.allSatisfy { $0 < 0x80 }
    }
  }

  private func isOwnName(_ name: String, of place: GazetteerRecord) -> Bool {
    let own = FoldedAddress(file.text(place.name), by: FoldTable(entries: file.folds, pool: file.pool))
    return !own.words.isEmpty && own.text(of: own.words.indices) == name
  }
}
