import Foundation

/// A temporary directory, which is removed when the value is deinitialized.
public final class TemporaryDirectory: Sendable {
  public let path: String

  public init() throws {
    // Short, because the path of a socket is limited to about a hundred bytes.
    let name = "todo-\(UUID().uuidString.prefix(8).lowercased())"
    path = "\(Self.parent)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  /// In memory if possible, where a sync takes no time regardless of other disk activity.
  private static let parent: String = {
    let memory = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: memory) ? memory : FileManager.default.temporaryDirectory.path
  }()

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of the directory's files.
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

/// Creates an empty directory for `body`, and removes it with its contents afterwards.
public func withTemporaryDirectory<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
  let directory = try TemporaryDirectory()
  defer { withExtendedLifetime(directory) {} }
  return try await body(directory.path)
}
