import TTRPC

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file in which `todo login` keeps tokens: a line for each server, its endpoint and its token.
struct TokenFile {
  let path: String

  /// - Parameter environment: says where the person's settings are.
  /// - Returns: `nil` when it does not.
  init?(environment: (String) -> String?) {
    guard let directory = environment("XDG_CONFIG_HOME") ?? environment("HOME").map({ "\($0)/.config" }) else {
      return nil
    }
    path = "\(directory)/todo/tokens"
  }

  init(path: String) {
    self.path = path
  }

  /// The token for a server, if there is one.
  ///
  /// - Throws: `Failure` when the file cannot be read, or others than its owner can.
  func token(for endpoint: String) throws -> String? {
    try entries().first { $0.endpoint == endpoint }?.token
  }

  /// Keeps a token for a server in the place of the one before, or forgets it.
  ///
  /// - Returns: whether there was one before.
  @discardableResult
  func set(_ token: String?, for endpoint: String) throws -> Bool {
    var entries = try entries()
    let count = entries.count
    entries.removeAll { $0.endpoint == endpoint }
    let wasThere = entries.count < count
    if let token { entries.append((endpoint, token)) }
    try PrivateFile.write(entries.map { "\($0.endpoint) \($0.token)\n" }.joined(), to: path)
    return wasThere
  }

  private func entries() throws -> [(endpoint: String, token: String)] {
    guard let text = try PrivateFile.read(path) else { return [] }
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 ? (String(words[0]), String(words[1])) : nil
    }
  }
}

/// Files that nobody but their owner may read.
enum PrivateFile {
  /// - Returns: `nil` when there is no such file.
  /// - Throws: `Failure` when it cannot be read, or others than its owner can.
  static func read(_ path: String) throws -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw failure(path, String(cString: strerror(errno)))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure(path, String(cString: strerror(errno))) }
    guard status.st_mode & 0o077 == 0 else {
      throw failure(path, "can be read by others than its owner: chmod 600 it")
    }
    var bytes = [UInt8](repeating: 0, count: sizeLimit)
    var length = 0
    while length < bytes.count {
      let count = bytes[length...].withUnsafeMutableBytes { systemRead(file, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw failure(path, String(cString: strerror(errno))) }
      if count == 0 { break }
      length += count
    }
    return String(decoding: bytes[..<length], as: UTF8.self)
  }

  /// Makes the file in the place of one that may be there, and the directory it lies in.
  static func write(_ text: String, to path: String) throws {
    if let slash = path.lastIndex(of: "/") { makeDirectory(String(path[..<slash])) }
    let passing = "\(path).\(getpid())"
    let file = open(passing, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw failure(path, String(cString: strerror(errno))) }
    let bytes = Array(text.utf8)
    let isWritten = systemWrite(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    let code = errno
    close(file)
    guard isWritten, rename(passing, path) == 0 else {
      unlink(passing)
      throw failure(path, String(cString: strerror(isWritten ? errno : code)))
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

  private static func failure(_ path: String, _ reason: String) -> Failure {
    Failure(
      code: .permissionDenied, reason: "PRIVATE_FILE", message: "\(path): \(reason)".escapingControls())
  }
}

// The functions of the system, whose names are those of the methods above.
private let (systemRead, systemWrite) = (read, write)
