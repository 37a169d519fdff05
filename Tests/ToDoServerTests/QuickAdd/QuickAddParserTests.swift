import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoServer

/// Sentences about items.
@Suite struct QuickAddParserTests {
  /// Tuesday, 2026-11-24, 08:41 in Berlin.
  private let parser = QuickAddParser(
    clock: TestClock(Timestamp(microseconds: 1_795_506_060_000_000)), zones: Zones())

  private final class Zones: TimeZones {
    func rules(of name: String) -> (any TimeZoneRules)? {
      switch name {
      case "": Fixed(hours: 0)
      case "Europe/Berlin": Fixed(hours: 1)
      case "Atlantic/Azores": Fixed(hours: -1)
      default: nil
      }
    }
  }

  private struct Fixed: TimeZoneRules {
    let hours: Int
    func offset(at instant: Timestamp) -> ZoneOffset { ZoneOffset(seconds: hours * 3600, name: "") }
  }

  private func parse(
    _ text: String, zone: String = "Europe/Berlin", languages: [String] = ["en-GB"], lists: [String] = []
  ) throws -> ParsedQuickAdd {
    try parser.parse(QuickAddSentence(text, timeZone: zone, languages: languages, lists: lists))
  }

  private func day(_ day: Int) -> DueDate? { CalendarDate(year: 2026, month: 11, day: day).map { .date($0) } }

  @Test func sentence_saysWhatAnItemIs() throws {
    let parsed = try parse("Dinner tomorrow 19:00 @Rossi #family !!! /Work", lists: ["Work", "home"])
    #expect(parsed.content.title == "Dinner")
    #expect(parsed.content.due == .time(Timestamp(microseconds: 1_795_629_600_000_000)))
    #expect(parsed.content.location == Location(name: "Rossi"))
    #expect(parsed.content.tags == ["family"] && parsed.content.priority == .high)
    #expect(parsed.list == "Work" && parsed.notice == nil && parsed.alternatives == [])
    #expect(parsed.facts == ["tomorrow, Wed 25 Nov, 19:00", "at Rossi", "#family", "high priority"])
  }

  @Test func spans_areInUTF16_andJoinTheWordsOfAField() throws {
    let text = "Käse 🧀  kaufen tomorrow  19:00 #a #b /Work"
    let parsed = try parse(text, lists: ["Work"])
    let units = Array(text.utf16)
    let parts = parsed.spans.map { String(decoding: units[$0.range], as: UTF16.self) }
    #expect(parts == ["tomorrow  19:00", "#a", "#b", "/Work"])
    #expect(parsed.spans.map(\.field) == [.due, .tag, .tag, .list])
  }

  @Test func place_mayBeACoordinate() throws {
    let parsed = try parse("Picnic @48.137,11.575")
    #expect(parsed.content.location == Location(coordinate: Coordinate(latitude: 48.137, longitude: 11.575)))
  }

  @Test func today_isThatOfTheWriter() throws {
    #expect(try parse("Milk today", zone: "Europe/Berlin").content.due == day(24))
    // Wednesday, 2026-11-25, 00:00 in UTC.
    let midnight = QuickAddParser(clock: TestClock(Timestamp(microseconds: 1_795_564_800_000_000)), zones: Zones())
    #expect(try midnight.parse(QuickAddSentence("Milk today")).content.due == day(25))
    let west = QuickAddSentence("Milk today", timeZone: "Atlantic/Azores")
    #expect(try midnight.parse(west).content.due == day(24))
  }

  @Test func repetition_isInTheZoneOfTheWriter() throws {
    let repetition = try #require(try parse("Water plants every tuesday").content.repetition)
    #expect(repetition.timeZone == "Europe/Berlin")
  }

  @Test(
    arguments: [
      (["de-CH"], true), (["de"], true), (["nl-NL", "de"], true), (["en-US", "de"], false), ([], false), (["x"], false),
    ] as [([String], Bool)]) func words_areThoseOfTheFirstLanguageThatIsRead(_ languages: [String], _ isGerman: Bool)
    throws
  {
    let parsed = try parse("Milch morgen", languages: languages)
    #expect((parsed.content.due == day(25)) == isGerman)
    #expect(try parse("Milk tomorrow", languages: languages).content.due == day(25))
  }

  @Test(arguments: [(["en-US"], 12), (["en-GB"], 3), (["ja-JP"], 12), ([], 3)] as [([String], Int)])
  func orderOfNumbers_isThatOfTheLanguage(_ languages: [String], _ month: Int) throws {
    let due = try parse("Milk on 12/3/2027", languages: languages).content.due
    let date = CalendarDate(year: 2027, month: month, day: month == 12 ? 3 : 12)
    #expect(due == date.map { .date($0) })
  }

  @Test func ambiguousDates_areAlternatives_withTheOtherFields() throws {
    let parsed = try parse("Call Ann monday or friday #work")
    #expect(parsed.content.due == nil && parsed.notice?.hasPrefix("No date was read") == true)
    #expect(parsed.alternatives.map(\.due) == [day(30), day(27)])
    #expect(parsed.alternatives.allSatisfy { $0.tags == ["work"] && $0.title == "Call Ann" })
  }

  @Test(arguments: [
    (QuickAddSentence(" "), "text"), (QuickAddSentence(String(repeating: "a", count: 2049)), "text"),
    (QuickAddSentence("a", timeZone: "Mars/Base"), "time_zone"),
    (QuickAddSentence("a", timeZone: String(repeating: "a", count: 65)), "time_zone"),
    (QuickAddSentence("a", languages: ["en", String(repeating: "a", count: 65)]), "languages[1]"),
    (QuickAddSentence("a", languages: Array(repeating: "en", count: 17)), "languages"),
    (QuickAddSentence("a", lists: [String(repeating: "a", count: 1025)]), "list_names[0]"),
    (QuickAddSentence("a", lists: Array(repeating: "a", count: 1025)), "list_names"),
  ]) func sentence_whenInvalid_isRefused(_ sentence: QuickAddSentence, _ field: String) {
    let error = #expect(throws: ToDoError.self) { try parser.parse(sentence) }
    guard case .invalidRequest(let violations)? = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
    #expect(violations.first?.field == field)
  }

  @Test func sentence_atItsLimit_isRead() throws {
    let text = String(repeating: "a ", count: 1024)
    #expect(try parse(text).notice?.contains("over 256 words") == true)
    #expect(try parse(String(repeating: "a", count: 2048)).content.title.utf8.count == 2048)
  }
}
