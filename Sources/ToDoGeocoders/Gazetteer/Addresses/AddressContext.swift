import ToDoModel

/// What the names in an address say about where its place lies: the regions, the countries and the towns that they name.
struct AddressContext {
  /// How much of it agrees with a place.
  struct Support {
    var weight = 0
    /// The words that do.
    var words: [Range<Int>] = []

    fileprivate mutating func add(_ weight: Int, _ span: NamedSpan) {
      self.weight += weight
      words.append(span.words)
    }
  }

  fileprivate struct Area {
    var span: Int
    /// The number among the regions, or among the countries.
    var number: Int
    var isRegion: Bool
    var quality: NameIndex.Quality
  }

  private let file: GazetteerFile
  private let spans: [NamedSpan]
  /// By their spans, in the order of the address.
  private let areas: [Area]
  /// For each span that is a whole part of the address the largest place that it names.
  private let towns: [(span: Int, town: GazetteerRecord)]

  /// What each kind of support counts. A region or a country says more than a town that is merely close.
  private static let areaWeight = 2
  private static let townWeight = 1
  /// What is further apart is not one place's context, in metres.
  private static let townRadius = 40_000.0
  /// No address names more; text that does is read no slower for it.
  private static let areaLimit = 32

  init(_ spans: [NamedSpan], in file: GazetteerFile) {
    self.file = file
    self.spans = spans
    let areas = spans.indices.flatMap { span in spans[span].postings.compactMap { Area($0, span, in: file) } }
    self.areas = areas.suffix(Self.areaLimit)
    towns = spans.indices.compactMap { span in
      guard spans[span].isWholePart else { return nil }
      return file.largestPlace(in: spans[span].postings).map { (span, $0) }
    }
  }

  func support(of place: GazetteerRecord, named index: Int) -> Support {
    var support = Support()
    // A country supports no country, and a region no region.
    guard place.kind != .country else { return support }
    let sovereign = file.country(place.country)?.country
    var (region, country) = (place.kind == .region ? -1 : Int?.none, Int?.none)
    for area in areas where spans[area.span].bytes.lowerBound != spans[index].bytes.lowerBound {
      // Each span only once: "Georgia" is a region or a country.
      guard area.span != region, area.span != country, contains(area, place, sovereign), isSeparate(area, index) else {
        continue
      }
      if area.isRegion {
        if region == nil { region = area.span } else { continue }
      } else {
        if country == nil { country = area.span } else { continue }
      }
      support.add(Self.areaWeight, spans[area.span])
    }
    if let town = town(around: place, named: index), town != region, town != country {
      support.add(Self.townWeight, spans[town])
    }
    return support
  }

  /// Whether what follows names, in full, areas that the place is not in: no Springfield is in Germany.
  func contradicts(_ place: GazetteerRecord, named index: Int) -> Bool {
    let sovereign = file.country(place.country)?.country
    for (position, area) in areas.enumerated() {
      // A span's areas stand together: they are looked at together, from the first of them.
      guard position == 0 || areas[position - 1].span != area.span else { continue }
      guard spans[area.span].part > spans[index].part, spans[area.span].isWholePart else { continue }
      let named = areas[position...].prefix { $0.span == area.span }.filter { $0.quality == .name }
      guard !named.isEmpty, !named.contains(where: { contains($0, place, sovereign) }) else { continue }
      let town = towns.first { $0.span == area.span }?.town
      if !(town.map { isClose($0, place) } ?? false) { return true }
    }
    return false
  }

  /// Apart from the name; and an abbreviation has to stand behind it, at the end of a part: "Austin TX 78701".
  private func isSeparate(_ area: Area, _ index: Int) -> Bool {
    let (span, name) = (spans[area.span].bytes, spans[index].bytes)
    if area.quality == .code { return spans[area.span].endsPart && span.lowerBound >= name.upperBound }
    return !span.overlaps(name)
  }

  /// The country of a country is the one that it belongs to: Puerto Rico is in the United States.
  private func contains(_ area: Area, _ place: GazetteerRecord, _ sovereign: Int?) -> Bool {
    guard area.isRegion else { return area.number == place.country || area.number == sovereign }
    return place.kind == .place && area.number == place.region && place.region > 0
  }

  /// "Pasing, München": a larger town close by, each in a part of its own.
  private func town(around place: GazetteerRecord, named index: Int) -> Int? {
    guard place.kind == .place, spans[index].isWholePart else { return nil }
    return towns.first { span, town in
      span != index && spans[span].part != spans[index].part && town.weight > place.weight && isClose(town, place)
    }?.span
  }

  private func isClose(_ town: GazetteerRecord, _ place: GazetteerRecord) -> Bool {
    town.coordinate.distance(to: place.coordinate) <= Self.townRadius
  }
}

extension AddressContext.Area {
  fileprivate init?(_ posting: NameIndex.Posting, _ span: Int, in file: GazetteerFile) {
    let number = posting.record - file.placeCount
    switch file.kind(of: posting.record) {
    case .place: return nil
    case .region: self.init(span: span, number: number, isRegion: true, quality: posting.quality)
    case .country:
      self.init(span: span, number: number - file.regionCount, isRegion: false, quality: posting.quality)
    }
  }
}

extension GazetteerFile {
  /// Of the places whose name it is.
  fileprivate func largestPlace(in postings: [NameIndex.Posting]) -> GazetteerRecord? {
    postings.lazy.filter { $0.quality == .name && kind(of: $0.record) == .place }.compactMap { record($0.record) }
      .max { $0.weight < $1.weight }
  }
}
