import Foundation
import Testing
import ToDoModel
import ToDoQuickAdd

/// A line of `Phrases/*.tsv`: a sentence and what it means.
struct Phrase: CustomTestStringConvertible {
  let locale: String
  let sentence: String
  /// The title, the due date, the place and the notice.
  let meaning: [String]
  /// The file and the number of the line.
  let source: String

  /// Tuesday.
  static let today = CalendarDate(year: 2026, month: 11, day: 24)
  /// 08:41.
  static let now = 521

  var testDescription: String { "\(source) \(sentence)" }

  /// The phrases of all files.
  static let all = lines.compactMap(\.phrase)

  /// The lines that are no phrases, comments or empty.
  static let malformed = lines.filter { $0.phrase == nil && !$0.text.hasPrefix("#") && !$0.text.isEmpty }.map(\.text)

  private static let lines: [(text: String, phrase: Phrase?)] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Phrases")
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return files.filter { $0.pathExtension == "tsv" }.sorted { $0.path() < $1.path() }.flatMap(lines)
  }()

  private static func lines(of file: URL) -> [(text: String, phrase: Phrase?)] {
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { number, line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count == 6, !line.hasPrefix("#") else { return (String(line), nil) }
      let phrase = Phrase(
        locale: columns[0], sentence: columns[1], meaning: Array(columns[2...]),
        source: "\(file.lastPathComponent):\(number + 1)")
      return (String(line), phrase)
    }
  }

  /// What a reading means, in the form of a line.
  static func meaning(of reading: QuickAddReading) -> [String] {
    [reading.title, text(reading.due), reading.place ?? "", text(reading.notice)]
  }

  private static func text(_ due: QuickAddReading.Due?) -> String {
    switch due {
    case nil: return ""
    case .day(let day): return day.description
    case .time(let day, let minutes): return "\(day)T\(clock(minutes))"
    case .fromNow(let minutes):
      let minutes = now + minutes
      return today.map {
        "\(CalendarDate(daysSinceEpoch: $0.daysSinceEpoch + minutes / 1440))T\(clock(minutes % 1440))"
      }
        ?? ""
    // Only a date that stands alone is read as one.
    case .exact: return "exact"
    }
  }

  private static func clock(_ minutes: Int) -> String {
    [minutes / 60, minutes % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  private static func text(_ notice: QuickAddReading.Notice?) -> String {
    switch notice {
    case nil: ""
    case .ambiguous: "ambiguous"
    case .repeating: "repeating"
    case .past: "past"
    case .hour: "hour"
    case .span: "span"
    case .long: "long"
    case .unread(let word): "unread:\(word)"
    }
  }
}
