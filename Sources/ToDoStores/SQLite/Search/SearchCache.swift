import Dispatch
import Synchronization
import ToDoModel
import ToDoRules

/// A cache of lists' search indexes.
///
/// An index is valid at one revision of its list, whichever process writes: a search compares the revision that its read
/// transaction sees, and brings the index up to date from the list's changes. So writes do not know the cache.
/// The least recently used indexes are evicted. An index that no search uses for five minutes is freed.
final class SearchCache: Sendable {
  struct Limits {
    /// The maximum size of all indexes, in bytes.
    var total = 48 << 20
    /// The maximum size of one index, in bytes. Longer lists are searched row by row.
    var list = 32 << 20
    /// Indexes are freed after one to two such intervals without a search.
    var idleInterval = Duration.seconds(150)
    /// A list is indexed once a search has read this many rows or bytes of it without filling its page.
    var scannedRows = 2_000
    var scannedBytes = 1 << 20
  }

  /// Calls a function after a duration.
  typealias Timer = @Sendable (Duration, @escaping @Sendable () -> Void) -> Void

  fileprivate struct State {
    var indexes: [OwnerID: (index: SearchIndex, lastUse: UInt64)] = [:]
    /// The lists whose index would exceed the limit.
    var tooLarge: Set<OwnerID> = []
    var byteCount = 0
    /// Counts the uses.
    var use: UInt64 = 0
    /// The count of uses at the last sweep; `nil` if no sweep is scheduled.
    var lastSweep: UInt64?
    var isClosed = false
  }

  let limits: Limits
  /// Receives the searches that find or need an index.
  let observer: (any CacheObserver)?
  private let timer: Timer
  private let state = Mutex(State())

  init(
    _ limits: Limits = Limits(), observer: (any CacheObserver)? = nil,
    timer: @escaping Timer = { duration, body in
      let seconds = DispatchTimeInterval.milliseconds(Int(duration / .milliseconds(1)))
      DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: body)
    }
  ) {
    self.limits = limits
    self.observer = observer
    self.timer = timer
  }

  /// The approximate size of all indexes, in bytes.
  var byteCount: Int { state.withLock(\.byteCount) }

  /// Whether lists are indexed at all.
  var isEnabled: Bool { limits.total > 0 }

  /// Returns a list's index at the revision of the last search.
  func index(of owner: OwnerID) -> SearchIndex? {
    state.withLock { state in
      state.use += 1
      guard let index = state.indexes[owner]?.index else { return nil }
      state.indexes[owner]?.lastUse = state.use
      return index
    }
  }

  /// Replaces a list's index, and evicts others if all are too large together.
  func insert(_ index: SearchIndex, for owner: OwnerID) {
    let mustSweep = state.withLock { state in
      guard !state.isClosed else { return false }
      state.remove(owner)
      guard index.byteCount <= min(limits.list, limits.total) else {
        state.tooLarge.insert(owner)
        return state.beginSweeping()
      }
      state.use += 1
      state.indexes[owner] = (index, state.use)
      state.byteCount += index.byteCount
      while state.byteCount > limits.total, let oldest = state.indexes.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.remove(oldest.key)
      }
      return state.beginSweeping()
    }
    if mustSweep { scheduleSweep() }
  }

  func remove(_ owner: OwnerID) { state.withLock { $0.remove(owner) } }

  /// Whether a list was too large for an index lately.
  func isTooLarge(_ owner: OwnerID) -> Bool { state.withLock { $0.tooLarge.contains(owner) } }

  /// Frees all indexes and accepts no more.
  func close() {
    state.withLock { state in
      state = State()
      state.isClosed = true
    }
  }

  private func scheduleSweep() {
    timer(limits.idleInterval) { [weak self] in self?.sweep() }
  }

  /// Frees the indexes that no search used since the last sweep.
  private func sweep() {
    let mustSweep = state.withLock { state in
      guard let lastSweep = state.lastSweep else { return false }
      for (owner, entry) in state.indexes where entry.lastUse <= lastSweep { state.remove(owner) }
      state.tooLarge = []
      state.lastSweep = nil
      return !state.indexes.isEmpty && state.beginSweeping()
    }
    if mustSweep { scheduleSweep() }
  }
}

extension SearchCache.State {
  fileprivate mutating func remove(_ owner: OwnerID) {
    if let removed = indexes.removeValue(forKey: owner) { byteCount -= removed.index.byteCount }
  }

  /// - Returns: false if a sweep is scheduled already.
  fileprivate mutating func beginSweeping() -> Bool {
    guard lastSweep == nil else { return false }
    lastSweep = use
    return true
  }
}
