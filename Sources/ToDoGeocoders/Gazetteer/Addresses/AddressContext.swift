import ToDoModel

/// The context of an address: the regions, countries and towns that its names refer to.
struct AddressContext {
  /// The names of the context that support a place.
  struct Support {
    /// The sum of the names' weights.
    var weight = 0
    /// The words of the names.
    var words: [Range<Int>] = []

    fileprivate mutating func add(_ weight: Int, _ span: NamedSpan) {
      self.weight += weight
      words.append(span.words)
    }
  }

  fileprivate struct Area {
    var span: Int
    /// The index of the region or the country.
    var number: Int
    var isRegion: Bool
    var quality: NameIndex.Quality
  }

  private let file: GazetteerFile
  private let spans: [NamedSpan]
  /// The named regions and countries, ordered by span.
  private let areas: [Area]
  /// The largest place that each span names, for spans that are a whole part of the address.
  private let towns: [(span: Int, town: GazetteerRecord)]

  /// The weights of supporting names. A region or country that contains the place outweighs a town nearby.
  private static let areaWeight = 2
  private static let townWeight = 1
  /// The maximum distance of a supporting town, in meters.
  private static let townRadius = 40_000.0
  /// The maximum number of areas. No address names more, and the limit bounds the time for text that does.
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

  /// Returns the names that support a place, which the span at `index` names.
  func support(of place: GazetteerRecord, named index: Int) -> Support {
    var support = Support()
    // A country does not support a country, and a region does not support a region.
    guard place.kind != .country else { return support }
    let sovereign = file.country(place.country)?.country
    var (region, country) = (place.kind == .region ? -1 : Int?.none, Int?.none)
    for area in areas where spans[area.span].bytes.lowerBound != spans[index].bytes.lowerBound {
      // A span counts only once: "Georgia" is either a region or a country.
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

  /// Returns whether a later part of the address names an area that does not contain the place, as in
  /// "Springfield, Germany".
  func contradicts(_ place: GazetteerRecord, named index: Int) -> Bool {
    let sovereign = file.country(place.country)?.country
    for (position, area) in areas.enumerated() {
      // The areas of a span are consecutive. They are checked together, at the first of them.
      guard position == 0 || areas[position - 1].span != area.span else { continue }
      guard spans[area.span].part > spans[index].part, spans[area.span].isWholePart else { continue }
      let named = areas[position...].prefix { $0.span == area.span }.filter { $0.quality == .name }
      guard !named.isEmpty, !named.contains(where: { contains($0, place, sovereign) }) else { continue }
      let town = towns.first { $0.span == area.span }?.town
      if !(town.map { isClose($0, place) } ?? false) { return true }
    }
    return false
  }

  /// Returns whether an area's name does not overlap the place's name. An abbreviation must also follow the place's name
  /// and end its part, as in "Austin TX 78701".
  private func isSeparate(_ area: Area, _ index: Int) -> Bool {
    let (span, name) = (spans[area.span].bytes, spans[index].bytes)
    if area.quality == .code { return spans[area.span].endsPart && span.lowerBound >= name.upperBound }
    return !span.overlaps(name)
  }

  /// Returns whether an area contains a place. `sovereign` is the country that the place's country belongs to: Puerto
  /// Rico belongs to the United States.
  private func contains(_ area: Area, _ place: GazetteerRecord, _ sovereign: Int?) -> Bool {
    guard area.isRegion else { return area.number == place.country || area.number == sovereign }
    return place.kind == .place && area.number == place.region && place.region > 0
  }

  /// Returns the span of a larger town near the place, if both names are whole parts, as in "Pasing, München".
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
  /// Returns the place with the highest weight among the postings of quality `name`.
  fileprivate func largestPlace(in postings: [NameIndex.Posting]) -> GazetteerRecord? {
    postings.lazy.filter { $0.quality == .name && kind(of: $0.record) == .place }.compactMap { record($0.record) }
      .max { $0.weight < $1.weight }
  }
}
