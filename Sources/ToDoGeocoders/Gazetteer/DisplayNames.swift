extension GazetteerFile {
  /// Returns the first `limit` places with their display names.
  ///
  /// A region or country with the same display name as an earlier place is omitted, for example the country Singapore
  /// after the city. Places with equal display names are distinguished by a larger town nearby, for example
  /// "San Antonio (near Makati City), Philippines".
  func withDisplayNames(_ places: [GazetteerRecord], limit: Int) -> [(place: GazetteerRecord, name: String)] {
    var chosen: [(place: GazetteerRecord, name: String)] = []
    for place in places {
      guard chosen.count < limit else { break }
      let name = displayName(of: place)
      if place.kind == .place || !chosen.contains(where: { $0.name == name }) { chosen.append((place, name)) }
    }
    let counts = Dictionary(grouping: chosen.filter { $0.place.kind == .place }, by: \.name).mapValues(\.count)
    return chosen.map { place, name in
      counts[name, default: 1] == 1 || place.kind != .place
        ? (place, name) : (place, displayName(of: place, near: largerTown(near: place)))
    }
  }

  /// Returns the name of a place with its region and country, for example "Paris, Texas, United States".
  func displayName(of record: GazetteerRecord, near town: GazetteerRecord? = nil) -> String {
    let name = text(record.name)
    var names = [town.map { "\(name) (near \(text($0.name)))" } ?? name]
    if record.kind == .place, let region = region(record.region).map({ text($0.name) }), region != name {
      names.append(region)
    }
    if record.kind != .country, let country = country(record.country).map({ text($0.name) }), country != name {
      names.append(country)
    }
    return names.joined(separator: ", ")
  }

  private func largerTown(near place: GazetteerRecord) -> GazetteerRecord? {
    let name = text(place.name)
    return places(near: place.coordinate, radius: 40_000).first { $0.weight > place.weight && text($0.name) != name }
  }
}
