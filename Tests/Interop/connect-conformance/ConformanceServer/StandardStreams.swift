import Glibc

/// Messages on the standard streams, each preceded by its length.
enum StandardStreams {
  private static let maximumLength = 1 << 20

  /// Reads a message from standard input.
  ///
  /// - Throws: `ServerRequest.Failure` if there is none.
  static func read() throws(ServerRequest.Failure) -> [UInt8] {
    let length = try read(4).reduce(0) { $0 << 8 | Int($1) }
    guard length <= maximumLength else { throw ServerRequest.Failure("the request has \(length) bytes") }
    return try read(length)
  }

  /// Writes a message to standard output. It is shorter than a pipe's buffer.
  static func write(_ message: [UInt8]) {
    let prefix = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: message.count >> $0) }
    write(prefix + message, to: STDOUT_FILENO)
  }

  /// Writes a line to standard error.
  static func write(error: String) { write(Array("\(error)\n".utf8), to: STDERR_FILENO) }

  private static func write(_ bytes: [UInt8], to file: Int32) { _ = Glibc.write(file, bytes, bytes.count) }

  private static func read(_ count: Int) throws(ServerRequest.Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let result = bytes.withUnsafeMutableBytes { target in
        Glibc.read(STDIN_FILENO, target.baseAddress?.advanced(by: filled), count - filled)
      }
      guard result > 0 else { throw ServerRequest.Failure("standard input ended before the request") }
      filled += result
    }
    return bytes
  }
}
