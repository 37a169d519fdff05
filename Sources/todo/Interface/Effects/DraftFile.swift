import PrivateFiles
import ToDoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The private file with the draft of the form, one for each service.
struct DraftFile: Equatable, Sendable {
  let path: String

  /// Creates the location of the file in the state directory.
  ///
  /// - Parameter service: the location of the service, as in `ServiceConnection.endpoint`.
  /// - Throws: `Failure` if the directory cannot be located.
  init(for service: String, environment: (String) -> String?) throws {
    path = "\(try StateDirectory.path(environment))/draft-\(Self.hash(of: service)).md"
  }

  /// Returns the stored draft, or `nil` if there is none.
  ///
  /// - Throws: `EditFormError` if the file has another format, or `PrivateFileError`.
  func read() throws -> FormDraft? {
    guard let bytes = try PrivateFile.bytes(of: path, followsLinks: false, limit: Self.sizeLimit) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    return FormDraft(item: Self.item(in: text), form: try EditForm(parsing: text))
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
    lines.insert(draft.item.map { Self.itemPrefix + $0.description } ?? "# A draft of a new item.", at: 1)
    try PrivateFile.write(lines.joined(separator: "\n"), to: path)
  }

  /// Returns the item that the first comment names.
  private static func item(in text: String) -> ItemID? {
    let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count > 1, lines[1].hasPrefix(itemPrefix) else { return nil }
    return ItemID(String(lines[1].dropFirst(itemPrefix.count)).trimmed)
  }

  private static let itemPrefix = "# A draft of item "
  private static let sizeLimit = 1 << 20

  /// Returns the FNV-1a hash of a text. Unlike `Hasher`, it is the same in every process.
  private static func hash(of text: String) -> String {
    let hash = text.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
