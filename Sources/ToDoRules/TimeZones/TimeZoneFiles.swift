import Glibc
import Synchronization
package import ToDoModel

/// The time zones of a directory with TZif files, such as tzdata installs them.
///
/// A zone in use is cached, so that an update of its file counts from the next start on. So are the last names that no zone has,
/// and a new file may count from the next start on, too.
package final class TimeZoneFiles: TimeZones {
  private let directory: String
  private let cache = Mutex(GenerationalCache<String, TimeZoneFile>(costLimit: 1 << 20))
  /// Names that no zone has, apart from the cache of zones, so that they displace none.
  private let unknown = Mutex(GenerationalCache<String, Bool>(costLimit: 1024))

  /// Creates the time zones of a directory.
  package init(directory: String = "/usr/share/zoneinfo") {
    self.directory = directory
  }

  package func rules(of name: String) -> (any TimeZoneRules)? {
    // The empty name is UTC too, and neither needs a file.
    guard !name.isEmpty, name != "UTC" else { return UTC() }
    guard ZoneName.isValid(name) else { return nil }
    if let cached = cache.withLock({ $0[name] }) { return cached }
    if unknown.withLock({ $0[name] }) != nil { return nil }
    guard let bytes = Self.bytes(of: "\(directory)/\(name)"), let file = TimeZoneFile(bytes) else {
      unknown.withLock { $0.insert(true, for: name, cost: 1) }
      return nil
    }
    cache.withLock { $0.insert(file, for: name, cost: bytes.count) }
    return file
  }

  /// Returns the contents of a file of at most `TimeZoneFile.sizeLimit` bytes, or `nil` if there is none.
  private static func bytes(of path: String) -> [UInt8]? {
    // O_NONBLOCK: opening a named pipe must not wait for its writer. Aliases of zones are symbolic links.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= TimeZoneFile.sizeLimit else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var length = 0
    while length < bytes.count {
      let count = bytes[length...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      length += count
    }
    return bytes
  }
}
