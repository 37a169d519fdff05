import Glibc

/// Writes text to file descriptors and files.
enum Output {
  /// Writes all of the text, retrying after partial and interrupted writes.
  ///
  /// - Returns: 0, or the `errno` of the write that failed.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = systemWrite(descriptor, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR || errno == EAGAIN { continue }
        guard count > 0 else { return errno }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
      return 0
    }
  }

  /// Writes a file, replacing the content of an existing one.
  static func write(_ text: String, toFile path: String) throws(OutputError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw OutputError(path, errno) }
    var number = write(text, to: file)
    if close(file) != 0, number == 0 { number = errno }
    guard number == 0 else { throw OutputError(path, number) }
  }
}

/// A failure to write the report.
struct OutputError: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ path: String, _ number: Int32) {
    description = "cannot write the report to \(path): \(String(cString: strerror(number)))"
  }
}

// The system call, which the methods of the same name would otherwise shadow.
private let systemWrite = write
