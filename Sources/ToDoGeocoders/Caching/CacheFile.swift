import Glibc
import ToDoSupport

/// The system calls on a cache file.
struct CacheFile: Sendable {
  let path: String

  /// Returns the contents of the file, or `nil` if it cannot be read, is not private to the user, or is larger than `limit`.
  func contents(limit: Int) -> [UInt8]? {
    // O_NONBLOCK: opening a named pipe must not wait for its writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let size = Self.privateFileSize(of: file), size <= limit else { return nil }
    var length = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while length < size {
        let part = read(file, buffer.baseAddress?.advanced(by: length), size - length)
        guard part > 0 else { break }
        length += part
      }
      count = length
    }
    return bytes
  }

  /// Appends to the file if it exists and is private to the user.
  ///
  /// - Returns: whether all bytes were written.
  func append(_ bytes: [UInt8]) -> Bool {
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    return Self.privateFileSize(of: file) != nil && Self.write(bytes, to: file)
  }

  /// Replaces the file, with permissions for the user only. Creates the directory if it does not exist.
  ///
  /// - Returns: whether the file was replaced.
  func replace(with bytes: [UInt8]) -> Bool {
    (try? PrivateFile.write(bytes, to: path)) != nil
  }

  /// Returns the size of a file, or `nil` if it is not a regular file that only the user can read and write. Another user's
  /// file would show that user the addresses, and could contain wrong coordinates.
  private static func privateFileSize(of file: Int32) -> Int? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 == 0,
      status.st_uid == geteuid()
    else { return nil }
    return Int(status.st_size)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
