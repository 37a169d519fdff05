import Glibc

/// Reads whole inputs, up to a size.
enum InputBytes {
  enum ReadError: Error, Equatable {
    case exceedsLimit
    /// The `errno` of the failed call.
    case failed(Int32)
  }

  /// Reads a file.
  static func read(path: String, limit: Int) throws(ReadError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(errno) }
    defer { close(descriptor) }
    return try read(from: descriptor, limit: limit)
  }

  /// Reads a descriptor up to its end.
  static func read(from descriptor: Int32, limit: Int) throws(ReadError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .failed(errno) }
      guard count > 0 else { return bytes }
      bytes += chunk.prefix(count)
      guard bytes.count <= limit else { throw .exceedsLimit }
    }
  }
}
