import Glibc

/// A file in memory, which the system loads page by page on first access and shares between processes.
///
/// The file must not be truncated. An upgrade that replaces it leaves this object with the former content.
final class MappedFile: Sendable {
  // No thread writes to the memory, which is valid until `deinit`.
  private nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  /// Maps a file.
  ///
  /// - Returns: `nil` if the file is empty or cannot be read.
  init?(path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size > 0, let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      return nil
    }
    bytes = UnsafeRawBufferPointer(start: start, count: size)
  }

  /// Calls `body` with the content, which is valid only during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) { try body(bytes) }
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
  }
}

extension MappedFile {
  /// Maps the gazetteer that is installed with a program: in `../share/PROGRAM`, or beside the program.
  ///
  /// - Throws: `GazetteerError.missing`.
  static func gazetteer(of executable: String) throws(GazetteerError) -> MappedFile {
    let slash = executable.lastIndex(of: "/")
    let folder = slash.map { executable[..<$0] } ?? ""
    let program = slash.map { executable[executable.index(after: $0)...] } ?? executable[...]
    let paths = ["\(folder)/../share/\(program)/gazetteer.bin", "\(folder)/gazetteer.bin"]
    for path in paths {
      if let file = MappedFile(path: path) { return file }
    }
    throw .missing(path: paths[0])
  }

  /// The path of the running program.
  static var executable: String {
    if let path = realpath("/proc/self/exe", nil) {
      defer { free(path) }
      return String(cString: path)
    }
    return CommandLine.arguments[0]
  }
}
