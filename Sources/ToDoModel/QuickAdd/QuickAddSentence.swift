/// A sentence about an item, such as `Dinner tomorrow 19:00 @Rossi`, with its writer's time zone and languages.
public struct QuickAddSentence: Equatable, Sendable {
  /// The sentence.
  public var text: String
  /// The writer's IANA time zone, in which days and times are read; empty for UTC.
  public var timeZone: String
  /// The writer's languages as BCP 47 tags, such as `de-CH`, the most preferred one first. English is read in any case.
  public var languages: [String]
  /// The names of the lists that the sentence can name.
  public var lists: [String]

  /// The limits of a sentence. Sizes are in bytes of UTF-8.
  public enum Limits {
    /// The maximum size of the text.
    public static let text = 2048
    /// The maximum size of a time zone or a language.
    public static let name = 64
    /// The maximum number of languages.
    public static let languages = 16
    /// The maximum number of lists.
    public static let lists = 1024
    /// The maximum size of a list's name.
    public static let listName = 1024
  }

  /// Creates a sentence.
  public init(_ text: String, timeZone: String = "", languages: [String] = [], lists: [String] = []) {
    self.text = text
    self.timeZone = timeZone
    self.languages = languages
    self.lists = lists
  }

  /// The violated limits. Whether the time zone exists is not checked.
  public var violations: [FieldViolation] {
    var violations: [FieldViolation] = []
    func check(_ size: Int, _ limit: Int, _ unit: String, at field: String) {
      if size > limit { violations.append(FieldViolation(field, "has \(size) \(unit); at most \(limit) are allowed")) }
    }
    if text.allSatisfy(\.isWhitespace) { violations.append(FieldViolation("text", "must not be blank")) }
    check(text.utf8.count, Limits.text, "bytes", at: "text")
    check(timeZone.utf8.count, Limits.name, "bytes", at: "time_zone")
    check(languages.count, Limits.languages, "elements", at: "languages")
    check(lists.count, Limits.lists, "elements", at: "list_names")
    for (index, language) in languages.prefix(Limits.languages).enumerated() {
      check(language.utf8.count, Limits.name, "bytes", at: "languages[\(index)]")
    }
    for (index, list) in lists.prefix(Limits.lists).enumerated() {
      check(list.utf8.count, Limits.listName, "bytes", at: "list_names[\(index)]")
    }
    return violations
  }
}
