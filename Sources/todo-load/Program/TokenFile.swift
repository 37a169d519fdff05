import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A file in which there is a token, and nothing else.
enum TokenFile {
  /// - Throws: `TokenFileError` when there is none, or others than its owner can read it.
  static func read(_ path: String) throws(TokenFileError) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw TokenFileError(path, String(cString: strerror(errno))) }
    defer { close(file) }
    guard permissions(of: path) & 0o077 == 0 else {
      throw TokenFileError(path, "can be read by others than its owner: chmod 600 it", isForbidden: true)
    }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = systemRead(file, &bytes, bytes.count)
    guard count >= 0 else { throw TokenFileError(path, String(cString: strerror(errno))) }
    let words = String(decoding: bytes.prefix(count), as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let token = words.first else {
      throw TokenFileError(path, "holds \(words.isEmpty ? "no token" : "more than a token")")
    }
    return String(token)
  }

  /// All that there are if they cannot be told.
  private static func permissions(of path: String) -> Int {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
  }
}

/// Why there is no token to be had of a file.
struct TokenFileError: Error, Equatable, CustomStringConvertible {
  let description: String
  /// Whether it is for the file's permissions.
  let isForbidden: Bool

  init(_ path: String, _ reason: String, isForbidden: Bool = false) {
    description = "\(path): \(reason)"
    self.isForbidden = isForbidden
  }
}

// The function of the system, whose name is that of the method above.
private let systemRead = read
