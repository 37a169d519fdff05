import ToDoRules

/// A cache of recently read and written database values. Any commit that this store did not make invalidates every entry.
///
/// The entries are valid for one header of the log (`LogIndex.Header`). A lookup compares it with the current header, so that
/// a commit by any connection of any process is noticed. A store reports what its own commits change with `note(_:_:)`, so
/// that only the commits of other connections empty the cache.
struct CoherentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias HeaderReader = @Sendable () -> LogIndex.Header?

  /// Returns the current header, or `nil` if it is unavailable. The property is `nil` once the cache is closed.
  private var readHeader: HeaderReader?
  /// The header for which the entries are valid.
  private var header: LogIndex.Header?
  private var values: GenerationalCache<Key, Value>

  /// - Parameters:
  ///   - costLimit: the maximum total cost of the entries; 0 disables the cache.
  ///   - readHeader: returns the current header, or `nil` if it is unavailable.
  init(costLimit: Int, _ readHeader: @escaping HeaderReader) {
    values = GenerationalCache(costLimit: costLimit)
    self.readHeader = readHeader
  }

  /// The current header of the log, or `nil` if it is unavailable or the cache is closed.
  var currentHeader: LogIndex.Header? { readHeader?() }

  /// The current value of a key, or `nil` on a cache miss.
  subscript(key: Key) -> Value? {
    mutating get {
      guard let currentHeader, header == currentHeader else { return nil }
      return values[key]
    }
  }

  /// Caches a value that was read, unless a commit has happened since the read began.
  ///
  /// - Parameter before: the header before the value was read.
  mutating func insert(_ value: Value, for key: Key, cost: Int, readSince before: LogIndex.Header?) {
    guard let before, currentHeader == before else { return }
    reset(to: before)
    values.insert(value, for: key, cost: cost)
  }

  /// Applies a commit of this store, or empties the cache if another connection has committed as well.
  ///
  /// - Parameter update: inserts and removes the values that the commit changed.
  mutating func note(_ commit: Commit, _ update: (inout GenerationalCache<Key, Value>) -> Void) {
    guard commit.isOnlyOurs, header == commit.before else { return reset(to: commit.after) }
    header = commit.after
    update(&values)
  }

  /// Empties the cache for good. It no longer reads the header.
  mutating func close() {
    readHeader = nil
    values.removeAll()
  }

  /// Removes the entries if they are valid for another header.
  private mutating func reset(to header: LogIndex.Header) {
    guard self.header != header else { return }
    values.removeAll()
    self.header = header
  }
}

/// The log headers before and after a store's commit.
struct Commit {
  /// The header when the store held the lock of all writers.
  let before: LogIndex.Header?
  /// The header after the commit.
  let after: LogIndex.Header
  /// Whether no other connection committed between the two headers.
  let isOnlyOurs: Bool

  /// Returns `nil` if nothing was written.
  ///
  /// - Parameter after: the current header. Another connection may have written since the commit.
  init?(before: LogIndex.Header?, after: LogIndex.Header?) {
    guard let after, before != after else { return nil }
    self.before = before
    self.after = after
    isOnlyOurs = before.map { after.commitCount == $0.commitCount &+ 1 } ?? false
  }
}
