import Foundation
import Testing
import ToDoModel

@testable import ToDoRules

/// A part of the comparison with python-dateutil, which `Tests/Repetition/run` makes as a whole.
@Suite struct OccurrenceTableTests {
  /// The lines of a table that `Tests/Repetition/compare.py --table` wrote: rule, zone, start, due and now; next due date, missed
  /// count, and the following three due dates.
  private static let cases: [String] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "occurrences.tsv")
    let text = try? String(contentsOf: file, encoding: .utf8)
    return (text ?? "").split(separator: "\n").map(String.init)
  }()

  private let zones = TimeZoneFiles()

  @Test(arguments: cases)
  func occurrences_ofCase_areThoseOfDateutil(_ line: String) throws {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    try #require(fields.count == 8)
    let zone = try #require(zones.rules(of: fields[1]))
    let rule = try RecurrenceRule(parsing: fields[0])
    let (start, due) = (try Self.due(fields[2]), try Self.due(fields[3]))
    let repetition = Repetition(.calendar(rule), timeZone: fields[1], start: start)
    let next = repetition.next(after: due, now: try #require(Timestamp(fields[4])), in: zone)
    #expect(next.map { Self.text($0.due) } ?? "-" == fields[5])
    #expect(next?.missedCount ?? 0 == Int(fields[6]))
    let later = repetition.occurrences(after: due, limit: 3, in: zone)
    #expect(later.map(Self.text).joined(separator: " ") == fields[7])
  }

  @Test func cases_areMany() { #expect(Self.cases.count > 180) }

  private static func due(_ text: String) throws -> DueDate {
    try #require(CalendarDate(text).map(DueDate.date) ?? Timestamp(text).map(DueDate.time))
  }

  private static func text(_ due: DueDate) -> String {
    switch due {
    case .date(let date): date.description
    case .time(let time): time.description
    }
  }
}
