import ToDoModel

/// What a service must do with the lists of several users, as simply as it can be said: the oracle of random histories.
struct MembershipModel {
  /// A change of a user.
  enum Operation {
    case create, delete, undelete, accept, leave
    case share(with: String, ListRole)
    case unshare(with: String)
    case add(ItemID, title: String)
    case edit(ItemID, title: String)
    case check(ItemID)
    case deleteItem(ItemID)
    case move(ItemID, to: ListID)
  }

  /// A change of an item, as a watch tells it.
  struct Change: Equatable {
    let item: ItemID
    /// The cause, or "deleted".
    let kind: String
    var number: Int64 = 0
    var title = ""
  }

  /// A revision of a list.
  struct Step {
    let user: String
    let changes: [Change]
  }

  fileprivate struct Item {
    let number: Int64
    var title: String
    var isDone = false
  }

  fileprivate struct Member: Equatable {
    var role: ListRole
    var isInvited = true
  }

  fileprivate struct List {
    let owner: String
    var members: [String: Member] = [:]
    var isDeleted = false
    var items: [ItemID: Item] = [:]
    var lastNumber: Int64 = 0
    var steps: [Step] = []
  }

  /// The default list of a user, or a further one.
  fileprivate enum Key: Hashable {
    case ofUser(String)
    case further(ListID)
  }

  /// What a user sees of a list.
  struct View: Equatable {
    let id: ListID
    let owner: String
    let role: ListRole
    let members: [ListMember]
  }

  private var lists: [Key: List] = [:]

  init(users: [String]) {
    for user in users { lists[.ofUser(user)] = List(owner: user) }
  }

  private func key(_ list: ListID, _ user: String) -> Key { list.isDefault ? .ofUser(user) : .further(list) }

  /// The revisions of a list.
  func steps(of list: ListID, for user: String) -> [Step] { lists[key(list, user)]?.steps ?? [] }

  /// The items in a list, by ID.
  func items(in list: ListID, for user: String) -> [ItemID] { lists[key(list, user)]?.items.keys.sorted() ?? [] }

  /// The owner of a further list.
  func owner(of list: ListID) -> String? { lists[.further(list)]?.owner }

  func isDeleted(_ list: ListID) -> Bool { lists[.further(list)]?.isDeleted ?? false }

  /// Whether a user can read the items of a list.
  func canRead(_ list: ListID, _ user: String) -> Bool { (try? itemsKey(list, user, .viewer)) != nil }

  /// The lists that a user sees, by ID.
  func views(for user: String) -> [View] {
    let views = lists.compactMap { key, list -> View? in
      guard case .further(let id) = key, !list.isDeleted, let role = list.role(of: user) else { return nil }
      let members = list.members.map { ListMember(user: $0, role: $1.role, isInvited: $1.isInvited) }
      return View(
        id: id, owner: list.owner == user ? "" : list.owner, role: role, members: members.sorted { $0.user < $1.user })
    }
    return views.sorted { $0.id < $1.id }
  }

  // MARK: Operations

  /// Performs an operation of a user in a list.
  ///
  /// - Throws: what the service must throw.
  mutating func apply(_ operation: Operation, by user: String, in list: ListID) throws(ToDoError) {
    switch operation {
    case .create: lists[.further(list)] = List(owner: user)
    case .delete:
      var deleted = try owned(list, user)
      deleted.isDeleted = true
      deleted.members = deleted.members.filter { !$1.isInvited }
      lists[.further(list)] = deleted
    case .undelete:
      guard try owned(list, user, evenIfDeleted: true).isDeleted else { throw .listNotDeleted(list) }
      lists[.further(list)]?.isDeleted = false
    case .share(let member, let role):
      let isInvited = try owned(list, user).members[member]?.isInvited ?? true
      lists[.further(list)]?.members[member] = Member(role: role, isInvited: isInvited)
    case .unshare(let member):
      _ = try owned(list, user)
      lists[.further(list)]?.members[member] = nil
    case .accept:
      guard let found = lists[.further(list)], !found.isDeleted, found.members[user] != nil else {
        throw .listNotFound(list)
      }
      lists[.further(list)]?.members[user]?.isInvited = false
    case .leave:
      guard lists[.further(list)]?.members[user] != nil else { throw .listNotFound(list) }
      lists[.further(list)]?.members[user] = nil
    case .move(let id, let target): try move(id, by: user, from: list, to: target)
    case .add, .edit, .check, .deleteItem: try change(operation, by: user, in: list)
    }
  }

  /// - Throws: `ToDoError.listNotFound`, or `ToDoError.notPermitted` if another user owns the list.
  private func owned(_ list: ListID, _ user: String, evenIfDeleted: Bool = false) throws(ToDoError) -> List {
    guard let found = lists[.further(list)] else { throw .listNotFound(list) }
    if found.members[user] != nil { throw .notPermitted(needed: .owner) }
    guard found.owner == user, evenIfDeleted || !found.isDeleted else { throw .listNotFound(list) }
    return found
  }

  private func itemsKey(_ list: ListID, _ user: String, _ needed: ListRole) throws(ToDoError) -> Key {
    let key = key(list, user)
    guard let found = lists[key], !found.isDeleted, let role = found.role(of: user) else { throw .listNotFound(list) }
    if role == .viewer, needed != .viewer { throw .notPermitted(needed: .editor) }
    return key
  }

  private mutating func change(_ operation: Operation, by user: String, in list: ListID) throws(ToDoError) {
    let key = try itemsKey(list, user, .editor)
    guard var found = lists[key] else { return }
    switch operation {
    case .add(let id, let title): found.insert(id, Item(number: 0, title: title), by: user)
    case .edit(let id, let title):
      try found.put(id, "edited", by: user) { $0.title = title }
    case .check(let id):
      guard found.items[id]?.isDone != true else { return }
      try found.put(id, "checked", by: user) { $0.isDone = true }
    case .deleteItem(let id): _ = try found.remove(id, by: user)
    default: break
    }
    lists[key] = found
  }

  private mutating func move(
    _ id: ItemID, by user: String, from source: ListID, to target: ListID
  ) throws(ToDoError) {
    // Whether there are such lists is checked first.
    for list in [source, target] { _ = try itemsKey(list, user, .viewer) }
    let (from, to) = (try itemsKey(source, user, .editor), try itemsKey(target, user, .editor))
    guard var left = lists[from], var came = lists[to] else { return }
    if left.items[id] == nil, came.items[id] != nil { return }
    came.insert(id, try left.remove(id, by: user), by: user)
    (lists[from], lists[to]) = (left, came)
  }
}

extension MembershipModel.List {
  /// The role of a user who has accepted the list; `nil` for others.
  func role(of user: String) -> ListRole? {
    if user == owner { return .owner }
    return members[user].flatMap { $0.isInvited ? nil : $0.role }
  }

  mutating func insert(_ id: ItemID, _ item: MembershipModel.Item, by user: String) {
    lastNumber += 1
    items[id] = MembershipModel.Item(number: lastNumber, title: item.title, isDone: item.isDone)
    record(MembershipModel.Change(item: id, kind: "added", number: lastNumber, title: item.title), by: user)
  }

  mutating func put(
    _ id: ItemID, _ kind: String, by user: String, _ change: (inout MembershipModel.Item) -> Void
  ) throws(ToDoError) {
    guard var item = items[id] else { throw .itemNotFound(id) }
    change(&item)
    items[id] = item
    record(MembershipModel.Change(item: id, kind: kind, number: item.number, title: item.title), by: user)
  }

  mutating func remove(_ id: ItemID, by user: String) throws(ToDoError) -> MembershipModel.Item {
    guard let item = items.removeValue(forKey: id) else { throw .itemNotFound(id) }
    record(MembershipModel.Change(item: id, kind: "deleted"), by: user)
    return item
  }

  private mutating func record(_ change: MembershipModel.Change, by user: String) {
    steps.append(MembershipModel.Step(user: user, changes: [change]))
  }
}
