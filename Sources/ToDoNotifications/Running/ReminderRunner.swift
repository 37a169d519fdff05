package import ToDoModel
package import ToDoRules
import ToDoSupport

/// Sends the reminders of all users who have targets, until its task is canceled.
///
/// It follows the lists that such users can read: their own, and those shared with them. The claim of a reminder is an edit
/// of its item, so several servers over one store may run. In a shared list, each user has separate claims, so that each is told,
/// and the list is followed once for each of them who has targets.
///
/// A followed list costs the memory of one watch, of the times of at most 256 items, and of at most 64 messages that await another
/// attempt, whatever it contains.
package actor ReminderRunner {
  /// The stores and services that the runner reads.
  package struct Source: Sendable {
    /// The accounts and the targets.
    package let accounts: any AccountStore & NotificationTargetStore
    let directory: ListDirectory
    /// The states of users in shared lists; `nil` if a reminder there is claimed for all users together.
    let reminders: ReminderBook?
    /// Returns a list's items, whose changes count in a user's write rate.
    let list: @Sendable (_ list: OwnerID, _ user: OwnerID) -> any ToDoService

    /// Creates a source.
    package init(
      accounts: any AccountStore & NotificationTargetStore, directory: ListDirectory,
      reminders: ReminderBook? = nil,
      list: @escaping @Sendable (_ list: OwnerID, _ user: OwnerID) -> any ToDoService
    ) {
      (self.accounts, self.directory, self.reminders, self.list) = (accounts, directory, reminders, list)
    }
  }

  /// A list that is followed.
  private struct Followed: Hashable {
    let list: OwnerID
    /// The user to whom the list's reminders are sent; `nil` for all its users.
    let user: OwnerID?
    let isShared: Bool
  }

  private let source: Source
  private let environment: ListReminders.Environment
  private var targets = NotificationTargets(version: -1)
  /// The lists of each user with targets, by the owner of their items; and the version of the user's set of lists.
  private var lists: [OwnerID: (version: Int64, lists: [OwnerID: ReadableList])] = [:]
  /// The users of each list that is followed.
  private var users: [OwnerID: [OwnerID]] = [:]
  private var tasks: [Followed: Task<Void, Never>] = [:]

  /// The time between two looks at the accounts and the lists.
  static let interval = Duration.seconds(1)
  /// The maximum number of lists that send at the same time.
  static let width = 64
  /// The maximum number of one user's lists that do.
  static let userWidth = 2

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - clock: the clock that measures the time until a reminder is due.
  ///   - wallClock: the clock that determines whether a reminder is due.
  ///   - timeZones: the time zones in which reminders are due.
  package init(
    _ source: Source, sender: any NotificationSender, report: DeliveryReport,
    clock: any Clock<Duration> = ContinuousClock(), wallClock: any WallClock = SystemWallClock(),
    timeZones: any TimeZones = TimeZoneFiles()
  ) {
    self.source = source
    let schedule = ReminderSchedule { name in timeZones.rules(of: name) ?? UTC() }
    environment = ListReminders.Environment(
      sender: sender, report: report, slots: DeliverySlots(Self.width, userLimit: Self.userWidth), schedule: schedule,
      clock: clock,
      wallClock: wallClock)
  }

  /// The lists that are followed.
  var followedLists: Set<OwnerID> { Set(tasks.keys.map(\.list)) }

  /// Sends reminders until the task is canceled.
  package func run() async {
    repeat {
      // While the store cannot be read, the targets and the lists that were read last remain in use.
      try? await refresh()
    } while (try? await environment.clock.sleep(for: Self.interval)) != nil
    let ended = Array(tasks.values)
    tasks = [:]
    for task in ended { task.cancel() }
    for task in ended { await task.value }
  }

  private func refresh() async throws {
    var isChanged = false
    defer { if isChanged { updateTasks() } }
    if try await source.accounts.accountVersion() != targets.version {
      targets = try await source.accounts.allNotificationTargets().confirmed
      lists = lists.filter { targets.users[$0.key] != nil }
      isChanged = true
    }
    for user in targets.users.keys {
      // While the lists of one user cannot be read, those of the others are followed.
      guard let records = try? await source.directory.lookUp(user).value else { continue }
      guard lists[user]?.version != records.version else { continue }
      lists[user] = (records.version, records.readableLists(of: user))
      isChanged = true
    }
  }

  /// Follows the lists of users with targets, and no others.
  private func updateTasks() {
    users = lists.reduce(into: [:]) { users, entry in
      for list in entry.value.lists.keys { users[list, default: []].append(entry.key) }
    }
    var owners: [Followed: OwnerID] = [:]
    for (user, known) in lists {
      for (list, readable) in known.lists {
        let isShared = source.reminders != nil && readable.isShared
        owners[Followed(list: list, user: isShared ? user : nil, isShared: isShared)] = readable.owner
      }
    }
    for (followed, task) in tasks where owners[followed] == nil {
      task.cancel()
      tasks[followed] = nil
    }
    for (followed, owner) in owners where tasks[followed] == nil { tasks[followed] = follow(followed, of: owner) }
  }

  private func follow(_ followed: Followed, of owner: OwnerID) -> Task<Void, Never> {
    let (list, user) = (followed.list, followed.user)
    let personal = source.reminders?.states(of: user ?? owner, in: list, isShared: followed.isShared)
    let reminders = ListReminders(
      source.list(list, owner), of: user ?? owner, isMember: user.map { $0 != owner } ?? false, environment,
      personal: personal
    ) { [weak self] in
      await self?.targets(of: list, owner, for: user) ?? []
    } name: { [weak self] in
      await self?.name(of: list, owner)
    }
    return Task { await reminders.run() }
  }

  /// Returns a list's name, or `nil` for a default list and while the lists cannot be read.
  private func name(of list: OwnerID, _ owner: OwnerID) async -> String? {
    guard list != owner, let records = try? await source.directory.lookUp(owner).value else { return nil }
    return records.records.first { OwnerID($0.key) == list }?.value.list.name
  }

  /// Returns the targets of all who use a list, its owner's first, or of one user.
  private func targets(of list: OwnerID, _ owner: OwnerID, for one: OwnerID?) async -> [NotificationTarget] {
    var found: [NotificationTarget] = []
    let users = one.map { [$0] } ?? users[list] ?? []
    for user in users.sorted(by: { $0 == owner && $1 != owner }) {
      // The user may have left the list since the last refresh.
      let records = try? await source.directory.lookUp(user).value
      guard records?.readableLists(of: user)[list] != nil || records == nil else { continue }
      found += targets.users[user] ?? []
    }
    return found
  }
}

/// A list that a user can read.
private struct ReadableList {
  /// The user who owns the list.
  let owner: OwnerID
  let isShared: Bool
}

extension ListRecords {
  /// The lists that the user can read, by the owner of their items.
  fileprivate func readableLists(of user: OwnerID) -> [OwnerID: ReadableList] {
    let further = (furtherLists + shared.keys).filter(isAvailable)
    return further.reduce(into: [user: ReadableList(owner: user, isShared: false)]) { lists, id in
      let hasMembers = records[id]?.members.contains { $0.acceptedAt != nil } ?? false
      lists[OwnerID(id)] = ReadableList(
        owner: shared[id]?.owner ?? user, isShared: shared[id] != nil || hasMembers)
    }
  }
}
