import Glibc

/// A file that a process reads from or writes to. Without a path, it is temporary and has no name.
package struct StreamFile: Sendable {
  package let descriptor: OwnedDescriptor

  /// Creates a file, or empties an existing one.
  ///
  /// - Parameter text: the file's content.
  package init(path: String? = nil, text: String = "") throws {
    let name = path ?? "/tmp/todo-stream-\(UInt64.random(in: 0...UInt64.max))"
    let exclusive = path == nil ? O_EXCL : O_TRUNC
    let number = open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | exclusive, 0o600)
    guard number >= 0 else { throw SystemError("cannot open \(name)") }
    if path == nil { unlink(name) }
    descriptor = OwnedDescriptor(number)
    guard !text.isEmpty else { return }
    try descriptor.write(text)
    // The process reads from the offset that it inherits.
    lseek(number, 0, SEEK_SET)
  }

  /// Returns the content, also while a process uses the file.
  package func text() throws -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = pread(descriptor.number, &buffer, buffer.count, off_t(bytes.count))
      guard count >= 0 else { throw SystemError("cannot read a file") }
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
  }
}
