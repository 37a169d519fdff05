import DequeModule

/// Returns the time since an arbitrary moment, in nanoseconds. Measures the cost of work.
package typealias Stopwatch = @Sendable () -> UInt64

/// The waiting work of several owners, served in turn by surplus round-robin.
///
/// Work is served in rounds. In a round, each owner may use a quantum of time. The cost of an entry is measured while the
/// entry runs and charged afterwards, so that an estimate is never wrong. An owner whose credit is used up waits until every
/// other owner has used up its credit or has nothing to do; an expensive entry leaves a debt that takes several rounds to
/// pay. Between two entries of one owner, an entry of every other owner with credit runs. Therefore an entry of an owner
/// with an empty queue waits for at most one entry of each other owner.
///
/// `finish` must follow each entry that `next` returned.
struct FairQueue<Owner: Hashable, Entry> {
  /// The maximum numbers of waiting entries.
  struct Limits {
    var perOwner: Int
    var total: Int
    /// The number of waiting entries that an owner may have even if all owners together have `total`. Therefore owners
    /// that collude cannot keep others from the queue.
    var guaranteed = 0
    /// The maximum number of one owner's entries that run concurrently.
    var running = Int.max
  }

  enum Rejection: Equatable {
    /// The owner has too many waiting entries.
    case ownerFull
    /// All owners together have too many waiting entries.
    case full
  }

  private struct Account {
    var entries: Deque<(ticket: UInt64, entry: Entry)> = []
    var credit: Int64
    var running = 0

    /// - Returns: the number of waiting entries.
    mutating func append(_ entry: Entry, _ ticket: UInt64) -> Int {
      entries.append((ticket, entry))
      return entries.count
    }

    /// Takes the first waiting entry, which there is.
    ///
    /// - Returns: the entry, and whether more wait.
    mutating func take() -> (entry: Entry, hasMore: Bool) {
      running += 1
      return (entries.removeFirst().entry, !entries.isEmpty)
    }

    mutating func finish(_ cost: Int64) {
      running -= 1
      credit -= cost
    }
  }

  private let limits: Limits
  private let quantum: Int64
  private var accounts: [Owner: Account] = [:]
  /// The owners with waiting entries, the next to be served first.
  private var ring: Deque<Owner> = []
  private var running = 0
  /// The number of waiting entries.
  private(set) var count = 0

  /// - Parameter quantum: the cost that an owner may use in a round, in the unit of `finish`; at least 1.
  init(limits: Limits, quantum: Int64) {
    self.limits = limits
    self.quantum = quantum
  }

  /// The number of owners whose use is recorded.
  var accountCount: Int { accounts.count }

  /// Returns the reason why an entry of an owner would be rejected now, or `nil`.
  func rejection(of owner: Owner) -> Rejection? {
    let waiting = accounts[owner]?.entries.count ?? 0
    guard count < limits.total || waiting < limits.guaranteed else { return .full }
    return waiting < limits.perOwner ? nil : .ownerFull
  }

  /// Whether one more entry of an owner may run now.
  func canRun(_ owner: Owner) -> Bool { (accounts[owner]?.running ?? 0) < limits.running }

  /// Appends an entry, without a check of the limits.
  ///
  /// - Parameter ticket: identifies the entry in `remove(ticket:of:)`.
  mutating func add(_ entry: Entry, ticket: UInt64, of owner: Owner) {
    removeIdleAccounts()
    if accounts[owner, default: Account(credit: quantum)].append(entry, ticket) == 1 { ring.append(owner) }
    count += 1
  }

  /// Takes the next entry to run; `nil` if none waits, or if each owner with a waiting entry runs as many as it may.
  ///
  /// - Parameter maximumRounds: the number of rounds to begin at most. If every owner with a waiting entry has a debt that
  ///   takes longer to pay, the result is `nil`.
  mutating func next(maximumRounds: Int64 = .max) -> (owner: Owner, entry: Entry)? {
    guard count > 0 else { return nil }
    if let index = ring.firstIndex(where: isServable) { return take(index) }
    guard beginRounds(atMost: maximumRounds) else { return nil }
    return ring.firstIndex(where: isServable).flatMap { take($0) }
  }

  /// Charges an owner for an entry that ran.
  mutating func finish(_ owner: Owner, cost: Int64) {
    running -= 1
    // Without a minimum, entries that the clock cannot measure would never end a round.
    accounts[owner]?.finish(max(cost, 1))
    // Nothing waits, so no owner has been at a disadvantage.
    if running == 0, count == 0 { accounts.removeAll(keepingCapacity: true) }
  }

  /// Removes a waiting entry; `nil` if it no longer waits.
  mutating func remove(ticket: UInt64, of owner: Owner) -> Entry? {
    guard let index = accounts[owner]?.entries.firstIndex(where: { $0.ticket == ticket }) else { return nil }
    count -= 1
    let entry = accounts[owner]?.entries.remove(at: index).entry
    if accounts[owner]?.entries.isEmpty == true { ring.removeAll { $0 == owner } }
    return entry
  }

  private func isServable(_ owner: Owner) -> Bool {
    accounts[owner].map { $0.credit > 0 && $0.running < limits.running } ?? false
  }

  private mutating func take(_ index: Int) -> (owner: Owner, entry: Entry)? {
    let owner = ring.remove(at: index)
    guard let (entry, hasMore) = accounts[owner]?.take() else { return nil }
    if hasMore { ring.append(owner) }
    running += 1
    count -= 1
    return (owner, entry)
  }

  /// Begins as many rounds as the first owner needs to have credit again.
  ///
  /// - Returns: false if no owner has a waiting entry that may run, or if that takes too many rounds.
  private mutating func beginRounds(atMost maximum: Int64) -> Bool {
    let missing = ring.compactMap { owner in
      accounts[owner].flatMap { $0.running < limits.running ? max(1 - $0.credit, 0) : nil }
    }
    guard let least = missing.min() else { return false }
    let rounds = max((least + quantum - 1) / quantum, 1)
    guard rounds <= maximum else { return false }
    pay(rounds)
    return true
  }

  private mutating func pay(_ rounds: Int64) {
    for owner in Array(accounts.keys) {
      let credit = min((accounts[owner]?.credit ?? 0) + rounds * quantum, quantum)
      accounts[owner]?.credit = credit
      guard let account = accounts[owner], account.entries.isEmpty, account.running == 0, credit == quantum else {
        continue
      }
      accounts[owner] = nil
    }
  }

  /// Begins a round if most accounts belong to owners that have nothing to do.
  private mutating func removeIdleAccounts() {
    guard accounts.count > 2 * (ring.count + running) + 64 else { return }
    pay(1)
  }
}
