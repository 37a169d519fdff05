import Synchronization
public import ToDoModel
import ToDoSupport

/// The users of a process who are at the places of their items, in memory only.
///
/// It contains no position, but for each place only whether the user is inside, or how long outside. At most 200,000 reminders
/// and areas are remembered; those of users who have not reported for the longest time are forgotten first, as after a restart.
public final class PositionBook: Sendable {
  /// The stores and services that a report reads.
  struct Source: Sendable {
    let directory: ListDirectory
    let accounts: (any AccountStore)?
    /// Returns a list's items, whose changes count in a user's write rate.
    let list: @Sendable (_ list: OwnerID, _ user: OwnerID) -> any ToDoService
  }

  /// Begins to send a reminder to its user's targets, after it was acknowledged. Not called for users who have the same default
  /// list, because they share the targets.
  public typealias Sending =
    @Sendable (
      _ user: OwnerID, _ item: ToDoItem, _ event: PlaceReminder.Event, _ time: Timestamp
    ) -> Void

  private let source: Source
  private let timing: PositionTiming
  private let writeRate: WriteRateLimiter?
  private let send: Sending
  private let users = Mutex(GenerationalCache<UserID, UserPositions>(costLimit: 200_000))

  /// Identifies a user: by the owner of the default list, and by the name, because several users can have one default list.
  fileprivate struct UserID: Hashable {
    let owner: OwnerID
    let name: String
  }

  /// Creates an empty book.
  ///
  /// - Parameters:
  ///   - directory: the lists of all users.
  ///   - accounts: the users of the same store; `nil` if there are none.
  ///   - clock: the clock that positions are compared with.
  ///   - writeRate: limits the reports of each user, together with the changes of the user's lists.
  ///   - send: sends a reminder to its user's targets.
  ///   - list: returns a list's items, whose changes count in a user's write rate.
  public convenience init(
    _ directory: ListDirectory, accounts: (any AccountStore)?, clock: any WallClock = SystemWallClock(),
    writeRate: WriteRateLimiter? = nil, send: @escaping Sending = { _, _, _, _ in },
    list: @escaping @Sendable (_ list: OwnerID, _ user: OwnerID) -> any ToDoService
  ) {
    self.init(directory, accounts: accounts, timing: .continuous(clock), writeRate: writeRate, send: send, list: list)
  }

  /// - Parameter timing: the clocks.
  package init(
    _ directory: ListDirectory, accounts: (any AccountStore)?, timing: PositionTiming,
    writeRate: WriteRateLimiter? = nil,
    send: @escaping Sending = { _, _, _, _ in },
    list: @escaping @Sendable (_ list: OwnerID, _ user: OwnerID) -> any ToDoService
  ) {
    (source, self.timing) = (Source(directory: directory, accounts: accounts, list: list), timing)
    (self.writeRate, self.send) = (writeRate, send)
  }

  /// Returns the service of one user.
  ///
  /// - Parameters:
  ///   - owner: the owner of the user's default list.
  ///   - name: the user's name; empty for callers without one, who count as one user.
  public func service(of owner: OwnerID, named name: String) -> some PositionService {
    LocalPositionService(book: self, user: UserID(owner: owner, name: name))
  }

  /// Whether several users have the same default list, and so the same targets, to which nothing is sent then.
  package func sharesTargets(of owner: OwnerID) async throws -> Bool { try await source.isShared(owner) }

  /// The number of written items that a report counts as: it reads every list of the user.
  static let cost = 10

  fileprivate func report(_ position: Position, of user: UserID) async throws -> [PlaceReminder] {
    try position.validate(at: timing.clock.now())
    try writeRate?.admit(Self.cost, textSize: 0, to: user.owner)
    let positions = users.withLock { users in
      if let known = users[user] { return known }
      let new = UserPositions(user.owner, source, timing)
      users.insert(new, for: user, cost: 1)
      return new
    }
    let result = try await positions.report(position)
    users.withLock { $0.insert(positions, for: user, cost: 1 + result.fenceCount) }
    if !result.sharesTargets {
      for reminder in result.told { send(user.owner, reminder.item, reminder.event, reminder.time) }
    }
    return result.told.map(PlaceReminder.init)
  }
}

extension PositionBook.Source {
  /// Whether several users have the same default list.
  fileprivate func isShared(_ owner: OwnerID) async throws -> Bool {
    guard let accounts else { return false }
    return try await accounts.users(withList: owner).count > 1
  }
}

/// The reports of one user, over a book.
private struct LocalPositionService: PositionService {
  let book: PositionBook
  let user: PositionBook.UserID

  func reportPosition(_ position: Position) async throws -> [PlaceReminder] {
    try await book.report(position, of: user)
  }
}

/// The positions of one user, at most one a second.
private actor UserPositions {
  /// The owner of the user's default list.
  private let owner: OwnerID
  private let source: PositionBook.Source
  private let timing: PositionTiming
  private var watch = PlaceWatch()
  /// The number of reports until now.
  private var newest = 0
  private var isBusy = false
  /// The time from which the next position is evaluated.
  private var nextTurn = Duration.zero

  /// The time between two evaluations.
  private static let interval = Duration.seconds(1)

  init(_ owner: OwnerID, _ source: PositionBook.Source, _ timing: PositionTiming) {
    (self.owner, self.source, self.timing) = (owner, source, timing)
  }

  /// The result of a report.
  struct Result: Sendable {
    var told: [PlaceWatch.Told] = []
    var fenceCount: Int
    /// Whether other users have the same default list, and so the same targets.
    var sharesTargets = false
  }

  /// Evaluates a position in its turn, unless a newer one is reported before.
  func report(_ position: Position) async throws -> Result {
    newest += 1
    let number = newest
    // The time of the report, not that of the evaluation.
    var position = position
    position.time = position.time ?? timing.clock.now()
    while let rest {
      try await timing.pause(rest)
      guard number == newest else { return Result(fenceCount: watch.count) }
    }
    isBusy = true
    nextTurn = timing.uptime() + Self.interval
    defer { isBusy = false }
    let isShared = try await source.isShared(owner)
    var moved = watch
    let lists = try await lists(sharing: isShared)
    let told = try await moved.move(to: position, in: lists, at: timing.clock.now())
    watch = moved
    return Result(told: told, fenceCount: moved.count, sharesTargets: isShared)
  }

  /// The time until the next turn; `nil` if it has come.
  private var rest: Duration? {
    if isBusy { return Self.interval }
    let rest = nextTurn - timing.uptime()
    return rest > .zero ? rest : nil
  }

  /// The user's lists: the default one, the further ones, and those that others share.
  ///
  /// - Parameter sharesAll: whether other users have the same lists.
  private func lists(sharing sharesAll: Bool) async throws -> [PlaceWatch.List] {
    let records = try await source.directory.lookUp(owner).value
    let further = (records.furtherLists + records.shared.keys).filter(records.isAvailable).sorted()
    return ([.default] + further).map { id in
      let items = id.isDefault ? owner : OwnerID(id)
      let isShared = sharesAll || records[id].map { !$0.members.isEmpty } ?? !id.isDefault
      return PlaceWatch.List(items, id: id, source.list(items, owner), isShared: isShared)
    }
  }
}
