import Foundation
import Testing
import ToDoModel
import ToDoQuickAdd

/// A line of `Phrases/*.tsv`: a sentence and what it means.
struct Phrase: CustomTestStringConvertible {
  let locale: String
  let sentence: String
  /// The title, the due date, the place, the notice, the tags, the priority, the repetition and the list. In the file, the tags
  /// and the priority stand in the title.
  let meaning: [String]
  /// The file and the number of the line.
  let source: String

  /// Tuesday.
  static let today = CalendarDate(year: 2026, month: 11, day: 24)
  /// 08:41.
  static let now = 521

  var testDescription: String { "\(source) \(sentence)" }

  /// The lists of the user who writes the phrases.
  static let lists: Set = [
    "Work", "home", "two words", "Two-Rooms", "two rooms", "Einkauf", "café", "monday", "next friday", "high", "to_do",
    "2027",
    "Übungen", "PTA", "pta",
  ]

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
      guard (6...8).contains(columns.count), !line.hasPrefix("#") else { return (String(line), nil) }
      let phrase = Phrase(
        locale: columns[0], sentence: columns[1],
        meaning: meaning(of: Array(columns[2..<6]), locale: columns[0])
          + (6...7).map { $0 < columns.count ? columns[$0] : "" },
        source: "\(file.lastPathComponent):\(number + 1)")
      return (String(line), phrase)
    }
  }

  /// Moves the tags and the priority from the title to the end.
  private static func meaning(of columns: [String], locale: String) -> [String] {
    let words = columns[0].split(separator: " ").map(String.init)
    let tags = words.filter(isTag)
    let levels = ["!!": "medium", "!!!": "high", "!low": "low", "!medium": "medium", "!high": "high"]
    let priorities = words.filter { levels[$0] != nil || $0 == "!" && !locale.hasPrefix("fr") }
    guard !tags.isEmpty || !priorities.isEmpty else { return columns + ["", ""] }
    let title = words.filter { !(tags + priorities).contains($0) }.joined(separator: " ")
    let level = priorities.first.map { levels[$0] ?? "low" }
    return [title] + columns[1...] + [tags.map { $0.dropFirst() }.joined(separator: " "), level ?? ""]
  }

  private static func isTag(_ word: String) -> Bool {
    // Such words are rare, and compiling the expression takes longer than matching it.
    (word.hasPrefix("#") || word.hasPrefix("+"))
      && word.wholeMatch(of: /#[\p{L}_\/-]*\p{L}[\p{L}_\/-]*|\+[\w\/-]*\p{L}[\w\/-]*/) != nil
  }

  /// What a reading means, in the form of a line.
  static func meaning(of reading: QuickAddReading) -> [String] {
    [
      reading.title, text(reading.due), reading.place ?? "", text(reading.notice), reading.tags.joined(separator: " "),
      reading.priority?.rawValue ?? "", text(reading.repetition), reading.list ?? "",
    ]
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

  /// The text of a rule, or `AFTER` with an interval.
  static func text(_ rule: Repetition.Rule?) -> String {
    switch rule {
    case nil: ""
    case .calendar(let rule): rule.corpusText
    case .afterDone(let interval): "AFTER;FREQ=\(interval.unit.rawValue.uppercased());INTERVAL=\(interval.count)"
    }
  }

  private static func text(_ notice: QuickAddReading.Notice?) -> String {
    switch notice {
    case nil: ""
    case .ambiguous: "ambiguous"
    case .unrepeatable(let words, let reason): "\(reason):\(words)"
    case .past: "past"
    case .hour: "hour"
    case .span: "span"
    case .long: "long"
    case .unread(let word): "unread:\(word)"
    case .lists(let names): "lists:\(names.joined(separator: ", "))"
    }
  }
}
