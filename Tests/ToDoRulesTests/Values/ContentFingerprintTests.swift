import Testing

@testable import ToDoModel
@testable import ToDoRules

@Suite struct ContentFingerprintTests {
  private let key = FingerprintKey(low: 1, high: 2)

  private func fingerprint(_ content: ItemContent) -> ContentFingerprint { ContentFingerprint(of: content, key: key) }

  private func fingerprint(_ latitude: Double, _ longitude: Double) -> ContentFingerprint {
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return fingerprint(ItemContent(title: "a", location: Location(coordinate: coordinate)))
  }

  @Test func fingerprint_ofKnownContent_isStable() {
    // Databases contain fingerprints, so a change of the algorithm requires a migration.
    let due = DueDate.date(CalendarDate(daysSinceEpoch: 20_000))
    let content = ItemContent(title: "Milk", itemDescription: "Two bottles", due: due, location: Location(name: "Shop"))
    let expected = ContentFingerprint(high: 0xd7ca_8112_06c1_f099, low: 0xe49e_2e5e_dd54_cc42)
    #expect(fingerprint(content) == expected)
  }

  @Test func fingerprint_whenKeyDiffers_differs() {
    let content = ItemContent(title: "Milk")
    #expect(fingerprint(content) != ContentFingerprint(of: content, key: FingerprintKey(low: 1, high: 3)))
  }

  @Test func fingerprint_whenTextMovesBetweenFields_differs() {
    let one = ItemContent(title: "ab", itemDescription: "c")
    let other = ItemContent(title: "a", itemDescription: "bc")
    #expect(fingerprint(one) != fingerprint(other))
  }

  @Test func fingerprint_whenDayBecomesTime_differs() {
    let day = ItemContent(title: "a", due: .date(CalendarDate(daysSinceEpoch: 1)))
    let time = ItemContent(title: "a", due: .time(Timestamp(microseconds: 1)))
    #expect(fingerprint(day) != fingerprint(time))
  }

  @Test func fingerprint_whenCoordinateIsGeocoded_excludesIt() {
    var found = ItemContent(
      title: "a", location: Location(address: "b", coordinate: Coordinate(latitude: 1, longitude: 2)))
    found.location?.provenance = Location.Provenance(source: "gazetteer", granularity: .house)
    let written = ItemContent(title: "a", location: Location(address: "b"))
    #expect(fingerprint(found) == fingerprint(written))
  }

  @Test(arguments: [(48.148_347_5, 11.570_083_5), (48.148, 11.57), (0, 0), (-33.9, -70.25), (90, 180), (-90, -180)])
  func matches_whenCoordinatesAreWithinTolerance_isTrue(_ latitude: Double, _ longitude: Double) {
    let here = fingerprint(latitude, longitude)
    for (north, east, isSame) in [
      (0.0, 0.0, true), (1e-7, -1e-7, true), (-1e-7, 0, true), (0, 1e-7, true), (2e-7, 0, false), (0, -2e-7, false),
    ] {
      let (moved, aside) = (latitude + north, longitude + east)
      guard Coordinate(latitude: moved, longitude: aside) != nil else { continue }
      #expect(here.matches(fingerprint(moved, aside)) == isSame, "\(north), \(east)")
    }
    #expect(!here.matches(fingerprint(ItemContent(title: "a"))))
  }

  // Vectors of the reference implementation: the key 00 01 … 0f, and inputs that count up from 00.
  @Test(arguments: [
    (0, "a3817f04ba25a8e66df67214c7550293"), (1, "da87c1d86b99af44347659119b22fc45"),
    (7, "a1f1ebbed8dbc153c0b84aa61ff08239"), (8, "3b62a9ba6258f5610f83e264f31497b4"),
    (9, "264499060ad9baabc47f8b02bb6d71ed"), (15, "5493e99933b0a8117e08ec0f97cfc3d9"),
    (16, "6ee2a4ca67b054bbfd3315bf85230577"), (31, "2939b0183223fafc1723de4f52c43d35"),
    (63, "5150d1772f50834a503e069a973fbd7c"),
  ])
  func sipHash_ofOfficialVectors_isEqual(_ length: UInt8, _ expected: String) {
    for split in 0...Int(length) {
      var hash = SipHash128(keyLow: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)
      let input = Array(0..<length)
      for byte in input.prefix(split) { hash.combine(byte: byte) }
      Array(input.dropFirst(split)).withUnsafeBufferPointer { hash.combine($0) }
      let (low, high) = hash.finish()
      let bytes = withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { Array($0) }
      let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
      #expect(text == expected, "split at \(split)")
    }
  }
}
