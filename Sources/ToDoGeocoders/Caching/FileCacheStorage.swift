/// Keeps answers in a file that only the user can read.
///
/// A new answer is added to the file's end; when most of the file has been replaced or let go, or a part of it is
/// damaged, it is written anew. Several processes may use one file: each sees what was there when it began, and one of
/// them writing it anew can lose what others have added meanwhile, which then is asked for again.
package actor FileCacheStorage: GeocodeCacheStorage {
  private let file: CacheFile
  private let limits: GeocodeCacheLimits
  /// `nil` until the file has been read.
  private var loaded: BoundedEntries?
  private var fileSize = 0
  /// Whether something can be added at the end.
  private var isAppendable = false

  package init(path: String, limits: GeocodeCacheLimits = GeocodeCacheLimits()) {
    file = CacheFile(path: path)
    self.limits = limits
  }

  package func result(for key: GeocodeCacheKey) -> CachedResult? {
    entries[key]?.result
  }

  package func store(_ result: CachedResult, for key: GeocodeCacheKey) {
    guard let record = CacheRecord(result, for: key) else { return }
    var entries = entries
    // Else the insertion below would copy them.
    loaded = nil
    entries.insert(record)
    loaded = entries
    let addition = CacheFormat.framed(record)
    if isAppendable, fileSize + addition.count <= Self.maximumSize(of: entries) {
      fileSize += addition.count
      isAppendable = file.append(addition)
    } else {
      let contents = CacheFormat.file(of: entries.all)
      fileSize = contents.count
      isAppendable = file.replace(with: contents)
    }
  }

  private var entries: BoundedEntries {
    if let loaded { return loaded }
    var entries = BoundedEntries(limits: limits)
    if let bytes = file.contents(limit: 4 * limits.bytes + Self.slack) {
      let contents = CacheFormat.records(in: bytes)
      for record in contents.records { entries.insert(record) }
      fileSize = bytes.count
      isAppendable = contents.isComplete
    }
    loaded = entries
    return entries
  }

  /// A file that is larger has more in it that is no longer wanted than is worth keeping.
  private static func maximumSize(of entries: BoundedEntries) -> Int {
    2 * entries.bytes + slack
  }

  private static let slack = 64 << 10
}
