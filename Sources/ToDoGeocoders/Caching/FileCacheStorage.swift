/// A storage that persists results in a file that only the user can read.
///
/// A new result is appended to the file. The file is rewritten when most of it is obsolete, or when a part of it is
/// damaged. Several processes may use the same file. Each process sees the results that were stored before it started.
/// A process that rewrites the file can discard results that other processes appended since then; those are queried
/// again.
package actor FileCacheStorage: GeocodeCacheStorage {
  private let file: CacheFile
  private let limits: GeocodeCacheLimits
  /// The entries of the file and of this process, or `nil` until the file has been read.
  private var loaded: BoundedEntries?
  private var fileSize = 0
  /// Whether the file exists and is undamaged, so that a record can be appended.
  private var isAppendable = false

  /// Creates a storage. The file is read by the first access.
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
    // Releases the second reference, so that the insertion does not copy the entries.
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

  /// Returns the size above which the file is rewritten, because more of it is obsolete than in use.
  private static func maximumSize(of entries: BoundedEntries) -> Int {
    2 * entries.bytes + slack
  }

  private static let slack = 64 << 10
}
