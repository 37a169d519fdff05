import Testing
import ToDoModel

@Suite struct ContentFingerprintTests {
  @Test func fingerprint_isTheSameInEveryVersion() {
    // Stored in databases: a change here needs a migration there.
    #expect(ContentFingerprint(of: ItemContent(title: "Milk")).bits == 0x1cc5_72c3_1d71_e99e)
  }

  @Test func fingerprint_differs_whenTextMovesBetweenFields() {
    let one = ItemContent(title: "ab", itemDescription: "c")
    let other = ItemContent(title: "a", itemDescription: "bc")
    #expect(ContentFingerprint(of: one) != ContentFingerprint(of: other))
  }

  @Test func fingerprint_differs_whenADayBecomesATime() {
    let day = ItemContent(title: "a", due: .date(CalendarDate(daysSinceEpoch: 1)))
    let time = ItemContent(title: "a", due: .time(Timestamp(microseconds: 1)))
    #expect(ContentFingerprint(of: day) != ContentFingerprint(of: time))
  }

  @Test(arguments: [(48.148_347_5, 11.570_083_5, 1), (48.148, 11.570_083_5, 2), (48.148, 11.57, 4), (0, 0, 4)])
  func matching_asksForEveryCell_thatTheToleranceTouches(_ latitude: Double, _ longitude: Double, _ count: Int) {
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    let content = ItemContent(title: "a", location: Location(coordinate: coordinate))
    let fingerprints = ContentFingerprint.matching(content)
    #expect(fingerprints.count == count)
    #expect(fingerprints.contains(ContentFingerprint(of: content)))
  }
}
