import ToDoModel
import ToDoTestSupport

/// A random history of users who share lists, change items in them and move items between them, with watches that begin at any
/// time. A model says what each operation must do, and what each watch must be told.
struct MembershipExperiment {
  enum Guarantee: String {
    /// An operation does what the model does.
    case asModeled
    /// A watch tells each revision in order, and misses none.
    case ordered, reliable
    /// An item has the number that the list's last one leaves.
    case numbered
    /// A change names its user.
    case attributed
    /// A watch tells nothing else of a change.
    case consistent
    /// A watch says when the user loses access, and tells nothing that happens later.
    case revoking, discreet
    /// A watch of lists tells what the user sees, and finally all of it.
    case listed
  }

  struct Violation: CustomStringConvertible {
    let guarantee: Guarantee
    let detail: String

    var description: String { "\(guarantee): \(detail)" }
  }

  /// The number of kinds of operations.
  static let kinds = 12

  private let users: [String: any ToDoListService]
  private let feed: MembershipFeed
  private var model: MembershipModel
  private var random: SeededGenerator
  private var lists: [ListID] = []
  /// The number of added items.
  private var count = 0
  private var watches: [MembershipWatch] = []
  private var listWatches: [MembershipListWatch] = []
  private var violations: [Violation] = []
  /// The kinds of operations that succeeded, and those that the service refused as it should.
  private(set) var succeeded: [String: Int] = [:], refused = 0

  init(_ users: ServiceContract.Users, fault: MembershipFeed.Fault? = nil, seed: UInt64 = 1) {
    self.users = ["ann": users.ann, "bob": users.bob, "cat": users.cat]
    feed = MembershipFeed(users: self.users, fault: fault)
    model = MembershipModel(users: ServiceContract.Users.names)
    random = SeededGenerator(seed: seed)
  }

  /// Performs the operations, and returns the violations.
  mutating func run(operations: Int = 400) async throws -> [Violation] {
    for user in ServiceContract.Users.names {
      if let sets = feed.watchLists(of: user) { listWatches.append(try await MembershipListWatch(sets, by: user)) }
      try await perform(.create, by: user, in: newList())
      try await watch(.default, by: user)
    }
    for _ in 0..<operations {
      let user = random.element(ServiceContract.Users.names)
      if random.chance(8) { try await watch(readList(by: user), by: user) } else { try await performAny(by: user) }
    }
    try await end()
    return violations
  }

  private mutating func report(_ guarantee: Guarantee, _ detail: String) {
    violations.append(Violation(guarantee: guarantee, detail: detail))
  }

  private mutating func newList() -> ListID {
    lists.append(ListID(high: random.next(), low: random.next() | 1))
    return lists[lists.count - 1]
  }

  /// Returns a list that a user can probably read.
  private mutating func readList(by user: String) -> ListID {
    let readable = ([.default] + lists).filter { model.canRead($0, user) }
    return random.chance(4) ? random.element(lists) : random.element(readable)
  }

  /// Returns a list that a user probably owns.
  private mutating func ownedList(by user: String) -> ListID {
    let owned = lists.filter { model.owner(of: $0) == user }
    return random.chance(4) ? random.element(lists) : random.element(owned)
  }

  /// Returns an item that is probably in a list.
  private mutating func item(in list: ListID, for user: String) -> ItemID {
    let present = model.items(in: list, for: user)
    return present.isEmpty || random.chance(6) ? ItemID(high: 1, low: 1) : random.element(present)
  }

  // MARK: Operations

  private mutating func performAny(by user: String) async throws {
    let (list, target, owned) = (readList(by: user), readList(by: user), ownedList(by: user))
    let other = random.element(ServiceContract.Users.names.filter { $0 != user })
    let item = item(in: list, for: user)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<25:
      count += 1
      let id = ItemID(high: random.next(), low: random.next())
      try await perform(.add(id, title: "Item \(count)"), by: user, in: list)
    case 25..<32: try await perform(.edit(item, title: "Edited \(random.next())"), by: user, in: list)
    case 32..<38: try await perform(.check(item), by: user, in: list)
    case 38..<41: try await perform(.deleteItem(item), by: user, in: list)
    case 41..<55 where list != target: try await perform(.move(item, to: target), by: user, in: list)
    case 41..<70:
      try await perform(.share(with: other, random.chance(3) ? .viewer : .editor), by: user, in: owned)
    case 70..<80: try await perform(.accept, by: user, in: random.element(lists))
    case 80..<86: try await perform(.unshare(with: other), by: user, in: owned)
    case 86..<90: try await perform(.leave, by: user, in: list.isDefault ? owned : list)
    case 90..<93: try await perform(.delete, by: user, in: owned)
    case 93..<98: try await perform(.undelete, by: user, in: owned)
    default: if lists.count < 6 { try await perform(.create, by: user, in: newList()) }
    }
  }

  /// Performs an operation on the service and on the model, and compares the outcomes.
  private mutating func perform(
    _ operation: MembershipModel.Operation, by user: String, in list: ListID
  ) async throws {
    guard let service = users[user] else { return }
    var (expected, actual): (ToDoError?, ToDoError?)
    do { try await service.perform(operation, in: list) } catch let error as ToDoError { actual = error }
    do { try model.apply(operation, by: user, in: list) } catch { expected = error }
    if expected == nil { succeeded[operation.kind, default: 0] += 1 } else { refused += 1 }
    if actual != expected {
      let (does, must) = (actual.map { "\($0)" } ?? "succeeds", expected.map { "\($0)" } ?? "succeed")
      report(.asModeled, "\(operation) by \(user) in \(list) \(does); it must \(must)")
    }
    for index in watches.indices {
      let (list, user) = (watches[index].list, watches[index].user)
      let revision = Int64(model.steps(of: list, for: user).count)
      watches[index].note(canRead: model.canRead(list, user), at: revision)
    }
    for index in listWatches.indices {
      let views = model.views(for: listWatches[index].user)
      if listWatches[index].states.last != views { listWatches[index].states.append(views) }
    }
  }

  private mutating func watch(_ list: ListID, by user: String) async throws {
    guard let events = feed.watch(list, by: user, of: model.owner(of: list)) else { return }
    let canRead = model.canRead(list, user)
    // A feed that tells everyone would begin.
    guard canRead || feed.fault == nil else { return }
    do {
      let watch = try await MembershipWatch(events, by: user, of: list)
      watches.append(watch)
      let revision = Int64(model.steps(of: list, for: user).count)
      if !canRead { report(.asModeled, "\(user) watches \(list) without access") }
      if watch.start != revision { report(.asModeled, "a watch begins at \(watch.start), not at \(revision)") }
    } catch ToDoError.listNotFound(list) {
      if canRead { report(.asModeled, "\(user) cannot watch \(list)") }
    }
  }

  // MARK: The end

  /// Adds a last item to each list, and checks what the watches were told until then.
  private mutating func end() async throws {
    for user in ServiceContract.Users.names {
      for list in [.default] + lists where list.isDefault || model.owner(of: list) == user {
        // Watches of a deleted list have ended.
        guard list.isDefault || !model.isDeleted(list) else { continue }
        let id = ItemID(high: random.next(), low: random.next())
        try await perform(.add(id, title: MembershipWatch.lastTitle), by: user, in: list)
      }
    }
    for watch in watches { check(watch, try await watch.record()) }
    for (user, service) in users {
      _ = try await service.updateList(.default, ListEdit(name: MembershipWatch.lastTitle), ifVersion: nil)
      for watch in listWatches where watch.user == user { check(watch, try await watch.told()) }
    }
  }

  private mutating func check(_ watch: MembershipWatch, _ record: MembershipWatch.Record) {
    let steps = model.steps(of: watch.list, for: watch.user)
    let name = "\(watch.user)'s watch of \(watch.list)"
    var position = watch.start
    for set in record.sets {
      let revision = set.revision.number
      if revision > watch.end ?? .max {
        report(.discreet, "\(name) tells \(revision), but access ended at \(watch.end ?? 0)")
      } else if revision <= position {
        report(.ordered, "\(name) tells \(revision) after \(position)")
      } else if revision > position + 1 {
        report(.reliable, "\(name) tells \(revision) after \(position)")
      } else if steps.indices.contains(Int(revision) - 1) {
        compare(set, steps[Int(revision) - 1], name)
      }
      position = max(position, revision)
    }
    switch record.ending {
    case .failed(.listNotFound(watch.list)) where watch.hasLostAccess: break
    case .atLastItem where watch.end == nil:
      if position < Int64(steps.count) { report(.reliable, "\(name) ends at \(position), not at \(steps.count)") }
    default: report(.revoking, "\(name) ends \(record.ending); the user's access ended at \(watch.end ?? 0)")
    }
  }

  private mutating func compare(_ set: ChangeSet, _ step: MembershipModel.Step, _ name: String) {
    let changes = set.changes.map { change in
      switch change {
      case .put(let item, let cause):
        MembershipModel.Change(item: item.id, kind: cause.rawValue, number: item.number.value, title: item.title)
      case .deleted(let deletion): MembershipModel.Change(item: deletion.id, kind: "deleted")
      }
    }
    if set.user != step.user { report(.attributed, "\(name) names \(set.user), not \(step.user)") }
    if changes.map(\.number) != step.changes.map(\.number) {
      report(.numbered, "\(name) tells the numbers \(changes.map(\.number)), not \(step.changes.map(\.number))")
    } else if changes != step.changes {
      report(.consistent, "\(name) tells \(changes), not \(step.changes)")
    }
  }

  /// Each state that was told must be one that the user has seen since the previous one, and the last one must be the last.
  private mutating func check(_ watch: MembershipListWatch, _ told: [[MembershipModel.View]]) {
    var rest = watch.states[...]
    for state in told {
      guard let index = rest.firstIndex(of: state) else {
        report(.listed, "\(watch.user) is told \(state), which is none of \(rest.count) states")
        return
      }
      rest = rest[index...]
    }
    // States that follow each other quickly are told together, and the last one can equal an earlier one.
    if told.last != watch.states.last { report(.listed, "\(watch.user) is not told the last state") }
  }
}

extension MembershipModel.Operation {
  /// The name of the operation, without its values.
  var kind: String { String("\(self)".prefix { $0 != "(" }) }
}

extension ToDoListService {
  fileprivate func perform(_ operation: MembershipModel.Operation, in list: ListID) async throws {
    let service = items(in: list)
    switch operation {
    case .create: _ = try await createList(NewList(id: list, name: "List \(list)"))
    case .delete: _ = try await deleteList(list)
    case .undelete: _ = try await undeleteList(list)
    case .accept: _ = try await acceptList(list)
    case .leave: _ = try await leaveList(list)
    case .share(let user, let role): _ = try await shareList(list, with: user, as: role)
    case .unshare(let user): _ = try await unshareList(list, with: user)
    case .add(let id, let title):
      _ = try await service.addItem(NewItem(id: id, content: ItemContent(title: title)))
    case .edit(let id, let title):
      var edit = ItemEdit()
      edit.title = title
      _ = try await service.updateItem(id, edit, ifRevision: nil)
    case .check(let id): _ = try await service.checkItem(id, ifRevision: nil)
    case .deleteItem(let id): _ = try await service.deleteItem(id, ifRevision: nil)
    case .move(let id, let target): _ = try await moveItems([id], from: list, to: target)
    }
  }
}

extension SeededGenerator {
  /// Returns one of several values.
  fileprivate mutating func element<Values: RandomAccessCollection>(_ values: Values) -> Values.Element {
    values[values.index(values.startIndex, offsetBy: Int.random(in: 0..<values.count, using: &self))]
  }

  /// Returns `true` once in `count` times.
  fileprivate mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
