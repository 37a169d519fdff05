#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Files that nobody but their owner may read.
package enum PrivateFile {
  /// - Returns: `nil` when there is no such file.
  /// - Throws: `PrivateFileError` when it cannot be read, or others than its owner can.
  package static func read(_ path: String) throws(PrivateFileError) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw PrivateFileError(path, String(cString: strerror(errno)))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw PrivateFileError(path, String(cString: strerror(errno))) }
    guard status.st_mode & 0o077 == 0 else {
      throw PrivateFileError(path, "can be read by others than its owner: chmod 600 it", isReadableByOthers: true)
    }
    var bytes = [UInt8](repeating: 0, count: sizeLimit)
    var length = 0
    while length < bytes.count {
      let count = bytes[length...].withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw PrivateFileError(path, String(cString: strerror(errno))) }
      if count == 0 { break }
      length += count
    }
    return String(decoding: bytes[..<length], as: UTF8.self)
  }

  /// Makes the file in the place of one that may be there, and the directory it lies in.
  ///
  /// - Throws: `PrivateFileError`.
  package static func write(_ text: String, to path: String) throws(PrivateFileError) {
    if let slash = path.lastIndex(of: "/") { makeDirectory(String(path[..<slash])) }
    let passing = "\(path).\(getpid())"
    let file = open(passing, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw PrivateFileError(path, String(cString: strerror(errno))) }
    let bytes = Array(text.utf8)
    let isWritten = systemWrite(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    let code = errno
    close(file)
    guard isWritten, rename(passing, path) == 0 else {
      unlink(passing)
      throw PrivateFileError(path, String(cString: strerror(isWritten ? errno : code)))
    }
  }

  private static let sizeLimit = 64 << 10

  private static func makeDirectory(_ path: String) {
    // What goes wrong is told by whoever makes the file.
    guard mkdir(path, 0o700) != 0, errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return
    }
    makeDirectory(String(path[..<slash]))
    mkdir(path, 0o700)
  }
}

/// A file that is to be private cannot be used.
package struct PrivateFileError: Error, Equatable, CustomStringConvertible {
  package let description: String
  package let isReadableByOthers: Bool

  package init(_ path: String, _ reason: String, isReadableByOthers: Bool = false) {
    description = "\(path): \(reason)"
    self.isReadableByOthers = isReadableByOthers
  }
}

// The functions of the system, whose names are those of the methods above.
private let (systemRead, systemWrite) = (read, write)
