import ToDoRules

/// Values of a database that were read or written lately, and are told as long as nobody has written meanwhile.
///
/// They know what the database was like when they were true (`LogIndex.Header`), and are told only while it is like that
/// still, whoever may have written. A store tells them what its own commits change, so that only foreign ones empty them.
struct CurrentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  typealias Look = @Sendable () -> LogIndex.Header?

  /// Says what the database is like now, or that this cannot be told; `nil` when the values are closed.
  private var look: Look?
  /// What it was like when the values were true.
  private var header: LogIndex.Header?
  private var values: GenerationalCache<Key, Value>

  /// - Parameters:
  ///   - costLimit: what all values cost together at most; 0: keeps none.
  ///   - look: says what the database is like now; `nil` when that cannot be told.
  init(costLimit: Int, _ look: @escaping Look) {
    values = GenerationalCache(costLimit: costLimit)
    self.look = look
  }

  /// What the database is like now; `nil` when that cannot be told.
  var present: LogIndex.Header? { look?() }

  /// The value as it is now, if it is here.
  subscript(key: Key) -> Value? {
    mutating get {
      guard let present, header == present else { return nil }
      return values[key]
    }
  }

  /// Keeps what was read, unless somebody has written meanwhile.
  ///
  /// - Parameter before: what the database was like before the value was read.
  mutating func insert(_ value: Value, for key: Key, cost: Int, readSince before: LogIndex.Header?) {
    guard let before, present == before else { return }
    become(before)
    values.insert(value, for: key, cost: cost)
  }

  /// Keeps what a commit of this store has changed, if no other commit came between.
  ///
  /// - Parameter update: is called for each changed value by which it puts or removes them.
  mutating func note(_ commit: Commit, _ update: (inout GenerationalCache<Key, Value>) -> Void) {
    guard commit.isOnlyOurs, header == commit.before else { return become(commit.after) }
    header = commit.after
    update(&values)
  }

  /// Tells nothing any more, and does not look any more.
  mutating func close() {
    look = nil
    values.removeAll()
  }

  /// Forgets what may not be true of a database that is like this.
  private mutating func become(_ header: LogIndex.Header) {
    guard self.header != header else { return }
    values.removeAll()
    self.header = header
  }
}

/// A commit of a store, as others may see it.
struct Commit {
  /// What the database was like when nobody else could write any more.
  let before: LogIndex.Header?
  /// What it is like now.
  let after: LogIndex.Header
  /// Whether nobody has written since.
  let isOnlyOurs: Bool

  /// `nil` when nothing was written.
  ///
  /// - Parameter after: what the database is like now; others may have written since the commit.
  init?(before: LogIndex.Header?, after: LogIndex.Header?) {
    guard let after, before != after else { return nil }
    self.before = before
    self.after = after
    isOnlyOurs = before.map { after.commitCount == $0.commitCount &+ 1 } ?? false
  }
}
