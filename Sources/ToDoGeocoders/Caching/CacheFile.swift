import PrivateFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The few calls of the operating system that a cache's file needs.
struct CacheFile: Sendable {
  let path: String

  /// All that is in it; `nil` when it cannot be read, is no plain file, or is larger than `limit`.
  func contents(limit: Int) -> [UInt8]? {
    // Without waiting, should it be a pipe.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard let size = Self.plainSize(of: file), size <= limit else { return nil }
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

  /// Adds to its end, if it is there.
  ///
  /// - Returns: whether all was written.
  func append(_ bytes: [UInt8]) -> Bool {
    let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { close(file) }
    return Self.plainSize(of: file) != nil && Self.write(bytes, to: file)
  }

  /// Puts other contents in its place, for the user alone; makes the directory if need be.
  func replace(with bytes: [UInt8]) -> Bool {
    (try? PrivateFile.write(bytes, to: path)) != nil
  }

  private static func plainSize(of file: Int32) -> Int? {
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        #if canImport(Glibc)
          let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        #elseif canImport(Musl)
          let count = Musl.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        #else
          let count = Darwin.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        #endif
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }
}
