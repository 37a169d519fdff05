/// The rules for tags: words such as `errands`, or paths such as `work/urgent`, which also counts as `work`.
public enum Tag {
  /// Whether a text can be a tag: letters, digits, `-`, `_` and `/`, with at least one letter, at most
  /// `ItemContent.Limits.tag` bytes of UTF-8. Each part between slashes begins with a letter or digit.
  public static func isValid(_ text: some StringProtocol) -> Bool { isValid(text, limit: ItemContent.Limits.tag) }

  /// Whether a filter's text can be a tag in lower case, which can have more bytes than the tag.
  package static func isValid(lowercased text: some StringProtocol) -> Bool {
    isValid(text, limit: 3 * ItemContent.Limits.tag)
  }

  private static func isValid(_ text: some StringProtocol, limit: Int) -> Bool {
    guard text.utf8.count <= limit else { return false }
    var (hasLetter, isAfterSlash) = (false, true)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "/":
        if isAfterSlash { return false }
        isAfterSlash = true
        continue
      case "-", "_": if isAfterSlash { return false }
      default:
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: hasLetter = true
        case .decimalNumber: break
        case .nonspacingMark, .spacingMark: if isAfterSlash { return false }
        default: return false
        }
      }
      isAfterSlash = false
    }
    return hasLetter && !isAfterSlash
  }

  /// The reason why a text is not a tag.
  package static let violation =
    "must be at most \(ItemContent.Limits.tag) bytes of letters, digits, '-', '_' and '/', with a letter; each part between slashes begins with a letter or digit"

  /// Returns the tags without repetitions; the first of equal tags stays. Case does not distinguish tags.
  package static func unique(_ tags: [String]) -> [String] {
    guard tags.count > 1 else { return tags }
    var seen: Set<String> = []
    return tags.filter { seen.insert($0.lowercased()).inserted }
  }

  /// Returns tags as one text, separated by spaces, which no tag contains; `nil` if there are none.
  package static func joined(_ tags: [String]) -> String? {
    tags.isEmpty ? nil : tags.joined(separator: " ")
  }

  /// Returns the tags of a text that `joined` returned. Compares bytes, because a space and a mark after it are one character.
  package static func split(_ text: String?) -> [String] {
    guard let text else { return [] }
    return text.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
  }

  /// Returns the tags above a tag and the tag itself: `work` and `work/urgent`.
  package static func path(to tag: String) -> [String] {
    let slashes = tag.utf8.indices.filter { tag.utf8[$0] == UInt8(ascii: "/") }
    return slashes.map { String(tag[..<$0]) } + [tag]
  }

  /// The size of the text that `joined` returns, in bytes of UTF-8.
  static func size(of tags: [String]) -> Int {
    tags.reduce(tags.count - 1) { $0 + $1.utf8.count }
  }
}

/// An item's priority. The enum is complete: there are three levels, so that a program can offer all of them.
public enum Priority: String, CaseIterable, Comparable, Sendable, Codable {
  case low, medium, high

  public static func < (left: Priority, right: Priority) -> Bool { left.level < right.level }

  /// 1 for low, 2 for medium and 3 for high. These numbers are stored and sent, and never change.
  package var level: UInt8 {
    switch self {
    case .low: 1
    case .medium: 2
    case .high: 3
    }
  }

  /// Creates the priority of a level, or returns `nil` if there is none.
  package init?(level: Int) {
    switch level {
    case 1: self = .low
    case 2: self = .medium
    case 3: self = .high
    default: return nil
    }
  }
}
