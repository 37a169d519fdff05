import ToDoModel

/// An answer with its key, in the form in which it lies in a file.
///
///     2 bytes      length of the key
///     ...          the key
///     8 bytes      when it was answered, in microseconds since 1970
///     1 byte       how many candidates were asked for
///     1 byte       how many candidates there are, and of each
///       8, 8 bytes   latitude and longitude as IEEE 754 bits
///       1 byte       granularity, by its place in `Location.Granularity.allCases`
///       3 texts      display name, source and attribution, each after its length in 2 bytes
///
/// All numbers begin with their lowest byte.
struct CacheRecord: Equatable, Sendable {
  let key: GeocodeCacheKey
  let bytes: [UInt8]

  var size: Int { bytes.count }

  /// `nil` when a text or a number is too large for the form.
  init?(_ result: CachedResult, for key: GeocodeCacheKey) {
    guard let count = UInt8(exactly: result.candidates.count), let limit = UInt8(exactly: result.limit) else {
      return nil
    }
    self.key = key
    var bytes: [UInt8] = []
    guard bytes.append(string: key.text) else { return nil }
    bytes.append(integer: UInt64(bitPattern: result.time.microseconds))
    bytes += [limit, count]
    for candidate in result.candidates {
      guard let granularity = Location.Granularity.allCases.firstIndex(of: candidate.granularity) else { return nil }
      bytes.append(integer: candidate.coordinate.latitude.bitPattern)
      bytes.append(integer: candidate.coordinate.longitude.bitPattern)
      bytes.append(UInt8(granularity))
      for text in [candidate.displayName, candidate.source, candidate.attribution] {
        guard bytes.append(string: text) else { return nil }
      }
    }
    self.bytes = bytes
  }

  /// Takes the bytes of a record; `nil` when they do not begin with a key.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let text = reader.readString() else { return nil }
    key = GeocodeCacheKey(text: text)
    self.bytes = bytes
  }

  /// `nil` when the bytes make no sense.
  var result: CachedResult? {
    var reader = ByteReader(bytes[...])
    guard reader.readString() != nil, let time = reader.readInteger(UInt64.self),
      let limit = reader.readInteger(UInt8.self),
      let count = reader.readInteger(UInt8.self)
    else { return nil }
    var candidates: [GeocodeCandidate] = []
    for _ in 0..<count {
      guard let candidate = reader.candidate() else { return nil }
      candidates.append(candidate)
    }
    let timestamp = Timestamp(microseconds: Int64(bitPattern: time))
    return CachedResult(candidates: candidates, limit: Int(limit), time: timestamp)
  }
}

extension ByteReader {
  fileprivate mutating func candidate() -> GeocodeCandidate? {
    let granularities = Location.Granularity.allCases
    guard let latitude = readInteger(UInt64.self), let longitude = readInteger(UInt64.self),
      let coordinate = Coordinate(
        latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude)),
      let index = readInteger(UInt8.self), granularities.indices.contains(Int(index)),
      let name = readString(), let source = readString(), let attribution = readString()
    else { return nil }
    return GeocodeCandidate(
      coordinate: coordinate, displayName: name, granularity: granularities[Int(index)], source: source,
      attribution: attribution)
  }
}
