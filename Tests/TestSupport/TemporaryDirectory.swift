import FoundationEssentials

/// Makes an empty directory for `body`, and removes it with all that is in it.
public func withTemporaryDirectory<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
  let url = FileManager.default.temporaryDirectory.appending(path: "todo-\(UUID().uuidString.prefix(8).lowercased())")
  try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  let path = url.path()
  do {
    let value = try await body(path)
    try FileManager.default.removeItem(at: url)
    return value
  } catch {
    try? FileManager.default.removeItem(at: url)
    throw error
  }
}
