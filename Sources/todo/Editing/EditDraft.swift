import Glibc
import ToDoSupport

/// The private file of a form while the user edits it.
struct EditDraft {
  let path: String
  private let original: String

  /// Creates the file in the state directory.
  ///
  /// - Parameters:
  ///   - name: the beginning of the file's name.
  ///   - environment: returns the value of an environment variable.
  /// - Throws: `Failure` if the directory cannot be located, or `PrivateFileError`, also if other users can replace the file.
  init(_ text: String, name: String, environment: (String) -> String?) throws {
    // The suffix selects the editor's highlighting. Concurrent edits of an item have different files.
    let suffix = String(UInt32.random(in: 0...UInt32.max), radix: 16)
    let directory = try StateDirectory.path(environment)
    // The editor follows a link that another user puts in place of the file.
    try PrivateFile.createTrustedDirectory(directory)
    path = "\(directory)/\(name)-\(suffix).md"
    original = text
    try PrivateFile.write(text, to: path)
  }

  /// Returns the file's contents.
  ///
  /// - Throws: `Failure` if they are too long or not UTF-8, or `PrivateFileError`.
  func read() throws -> String {
    // Some editors replace the file by one that other users can read.
    PrivateFile.restrict(path)
    guard let bytes = try PrivateFile.bytes(of: path, followsLinks: false, limit: Self.sizeLimit) else {
      throw PrivateFileError(path, "the editor deleted the form")
    }
    guard bytes.count < Self.sizeLimit else { throw Failure.usage("the form is longer than 1 MiB; shorten it") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure.usage("the form is not valid UTF-8; save it in that encoding", reason: "INVALID_UTF8")
    }
    return text
  }

  /// Replaces the file's contents.
  ///
  /// - Throws: `PrivateFileError`; the file is then unchanged.
  func replace(with text: String) throws { try PrivateFile.write(text, to: path) }

  /// Whether the file contains nothing that the user typed.
  var isUnchanged: Bool { (try? read()) == original }

  /// Deletes the file.
  func remove() { unlink(path) }

  private static let sizeLimit = 1 << 20
}
