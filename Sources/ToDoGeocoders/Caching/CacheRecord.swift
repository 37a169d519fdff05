import ToDoModel

/// A cached result and its key, encoded as in a cache file.
///
///     2 bytes      length of the key
///     ...          key
///     8 bytes      time of the result, in microseconds since 1970
///     1 byte       limit of the query
///     1 byte       number of candidates; for each candidate:
///       8, 8 bytes   latitude and longitude as IEEE 754 bits
///       1 byte       granularity, as an index in `Location.Granularity.allCases`
///       3 strings    display name, source and attribution, each after its length in 2 bytes
///
/// All integers are little-endian.
struct CacheRecord: Equatable, Sendable {
  let key: GeocodeCacheKey
  let bytes: [UInt8]

  var size: Int { bytes.count }

  /// Encodes a result. Returns `nil` if a string or a number exceeds the format.
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

  /// Creates a record from its encoded bytes. Returns `nil` if they do not start with a key.
  init?(bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let text = reader.readString() else { return nil }
    key = GeocodeCacheKey(text: text)
    self.bytes = bytes
  }

  /// The decoded result, or `nil` if the bytes are malformed.
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
