import Glibc
import ToDoModel
import ToDoRPC
import ToDoScreens
import ToDoSupport
import ToDoText

/// The private file with the draft of one program's form.
///
/// Each service has numbered slots for drafts, so that several programs can edit the same list. A program locks its
/// slot until it ends. The lock is on a separate file, because storing a draft replaces the file of the draft.
struct DraftFile: Sendable {
  let path: String
  private let lock: PrivateFileLock

  /// The maximum number of programs that store drafts for a service at the same time.
  static let slotCount = 8

  /// Locks a free slot in the state directory: the first one that contains a draft, or else the first one.
  ///
  /// - Parameter service: the location of the service, as in `ServiceConnection.endpoint`.
  /// - Throws: `Failure` if the directory cannot be located or no slot is free, or `PrivateFileError`.
  init(for service: String, environment: (String) -> String?) throws {
    let directory = try StateDirectory.path(environment)
    try PrivateFile.createTrustedDirectory(directory)
    let paths = Self.paths(for: service, in: directory)
    guard let slot = try Self.freeSlot(paths) else {
      throw Failure(
        code: .resourceExhausted, reason: "DRAFTS_IN_USE",
        message: "\(Self.slotCount) other programs store drafts of this list; quit one of them")
    }
    (path, lock) = slot
  }

  /// Releases the slot. The draft remains for the next program.
  func close() { lock.release() }

  /// Returns the stored draft, or `nil` if there is none.
  ///
  /// - Throws: `EditFormError` if the file has another format, or `PrivateFileError`.
  func read() throws -> FormDraft? {
    guard let bytes = try PrivateFile.bytes(of: path, followsLinks: false, limit: Self.sizeLimit) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let (item, revision) = Self.item(in: text)
    return FormDraft(
      item: item, revision: revision, form: try EditForm(parsing: text), place: Self.place(in: text),
      isLine: text.hasPrefix("---\n\(Self.lineComment)\n"), list: Self.list(in: text))
  }

  /// Stores a draft, or deletes the file.
  ///
  /// - Throws: `PrivateFileError`.
  func store(_ draft: FormDraft?) throws {
    guard let draft else {
      unlink(path)
      return
    }
    var lines = draft.form.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    lines.insert(contentsOf: Self.comments(of: draft), at: 1)
    try PrivateFile.write(lines.joined(separator: "\n"), to: path)
  }

  private static let sizeLimit = 1 << 20
}

// MARK: - The first comments

extension DraftFile {
  /// Returns the comment that names the item and its revision.
  ///
  /// The revision does not name its incarnation. If the list is replaced by a backup, the numbers are compared.
  private static func comment(of draft: FormDraft) -> String {
    guard let item = draft.item else { return draft.isLine ? lineComment : "# A draft of a new item." }
    return itemPrefix + item.description + (draft.revision.map { " at revision \($0)" } ?? "")
  }

  /// Returns the item that the first comment names, and its revision if the comment contains one.
  private static func item(in text: String) -> (ItemID?, Revision?) {
    let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count > 1, lines[1].hasPrefix(itemPrefix) else { return (nil, nil) }
    let words = lines[1].dropFirst(itemPrefix.count).split(separator: " ").map { String($0).trimmed }
    guard let item = words.first.flatMap({ ItemID($0) }) else { return (nil, nil) }
    guard words.count == 4, words[1...2] == ["at", "revision"] else { return (item, nil) }
    return (item, Int64(words[3]).map { Revision($0) })
  }

  /// Returns the comments of a draft: the item, and the chosen place if there is one.
  private static func comments(of draft: FormDraft) -> [String] {
    let place = draft.place.map { place in
      let words = [place.coordinate.text, text(of: place.provenance), place.name.oneLine]
      return [placePrefix + words.compactMap(\.self).joined(separator: " ").trimmed]
    }
    let list = draft.list.map { ["\(listPrefix)\($0.id) \($0.name.oneLine)".trimmed] }
    return [comment(of: draft)] + (place ?? []) + (list ?? [])
  }

  /// Returns the list that the second or third comment names; `nil` for the default one.
  private static func list(in text: String) -> DraftList? {
    let lines = text.split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: false)
    guard let line = lines.prefix(4).dropFirst(2).first(where: { $0.hasPrefix(listPrefix) }) else { return nil }
    let parts = line.dropFirst(listPrefix.count).split(separator: " ", maxSplits: 1).map { String($0).trimmed }
    guard let id = parts.first.flatMap({ ListID($0) }), !id.isDefault else { return nil }
    return DraftList(id: id, name: parts.count > 1 ? parts[1] : id.description)
  }

  /// Returns the chosen place that the second comment names.
  private static func place(in text: String) -> ChosenPlace? {
    let lines = text.split(separator: "\n", maxSplits: 3, omittingEmptySubsequences: false)
    guard lines.count > 2, lines[2].hasPrefix(placePrefix) else { return nil }
    let parts = lines[2].dropFirst(placePrefix.count).split(separator: " ", maxSplits: 1).map { String($0).trimmed }
    guard let coordinate = parts.first.flatMap({ try? Coordinate(argument: $0) }) else { return nil }
    let rest = parts.count > 1 ? parts[1] : ""
    let word = rest.prefix { $0 != " " }
    guard let provenance = provenance(in: word) else { return ChosenPlace(coordinate: coordinate, name: rest) }
    return ChosenPlace(
      coordinate: coordinate, provenance: provenance, name: String(rest.dropFirst(word.count)).trimmed)
  }

  /// Returns a word such as `locality:gazetteer`, or `nil` if the geocoder's name is more than one word.
  private static func text(of provenance: Location.Provenance?) -> String? {
    guard let provenance, !provenance.source.contains(where: \.isWhitespace) else { return nil }
    return "\(provenance.granularity.rawValue):\(provenance.source)"
  }

  private static func provenance(in word: Substring) -> Location.Provenance? {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let granularity = Location.Granularity(rawValue: parts[0]) else { return nil }
    return Location.Provenance(source: parts[1], granularity: granularity)
  }

  private static let listPrefix = "# The list is "
  private static let placePrefix = "# The chosen place is "
  private static let lineComment = "# A draft of the line of a new item."
  private static let itemPrefix = "# A draft of item "
}

// MARK: - Slots

extension DraftFile {
  /// Returns the paths of the slots: `draft-HASH.md`, `draft-HASH-2.md` and so on.
  private static func paths(for service: String, in directory: String) -> [String] {
    let start = "\(directory)/draft-\(hash(of: service))"
    return (1...slotCount).map { number in number == 1 ? "\(start).md" : "\(start)-\(number).md" }
  }

  /// Locks a slot that no other program has locked, or returns `nil` if there is none.
  ///
  /// Slots with drafts come first. Otherwise a draft would remain in its slot if an earlier slot became free.
  private static func freeSlot(_ paths: [String]) throws -> (String, PrivateFileLock)? {
    let stored = Set(paths.filter { access($0, F_OK) == 0 })
    for path in paths.filter(stored.contains) + paths.filter({ !stored.contains($0) }) {
      if let lock = try PrivateFileLock("\(path).lock") { return (path, lock) }
    }
    return nil
  }

  /// Returns the FNV-1a hash of a text. Unlike `Hasher`, it is the same in every process.
  private static func hash(of text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
