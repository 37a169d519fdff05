import Foundation

/// A directory of its own, which goes with the value that made it.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    // Short, for the path of a socket has room for about a hundred bytes.
    let name = "todo-\(UUID().uuidString.prefix(8).lowercased())"
    path = "\(Self.parent)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// In memory where it can be: there a sync takes no time, whatever else the disk is busy with.
  private static let parent: String = {
    let memory = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
  }()

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of the files in it.
  public var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }

  public func setPermissions(of path: String, to mode: Int) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  public static func permissions(of path: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}

/// Makes an empty directory for `body`, and removes it with all that is in it.
public func withTemporaryDirectory<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
  let directory = try TemporaryDirectory()
  defer { withExtendedLifetime(directory) {} }
  return try await body(directory.path)
}
