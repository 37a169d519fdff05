import Testing
import ToDoModel
import ToDoTestSupport

/// A watch of a list's items by one user, and what it was told.
struct MembershipWatch {
  /// How a watch ended.
  enum Ending: Equatable {
    /// It was told of the last item.
    case atLastItem
    /// It ended without a word.
    case silently
    case failed(ToDoError)
  }

  struct Record {
    var sets: [ChangeSet] = []
    var ending = Ending.silently
  }

  /// The title of the last item of each list.
  static let lastTitle = "The end"

  let user: String
  let list: ListID
  /// The revision after which the watch began.
  let start: Int64
  /// The last revision while the user had access; `nil` if the user has it. A watch that has not noticed the end goes on if the user
  /// gets access again.
  private(set) var end: Int64?
  /// Whether the user has lost access since the watch began.
  private(set) var hasLostAccess = false
  private let reading: Task<Record, any Error>

  /// Begins a watch.
  ///
  /// - Throws: `ToDoError.listNotFound`.
  init(_ events: WatchEvents, by user: String, of list: ListID) async throws {
    let subscription = Subscription(events)
    guard case .progress(let revision)? = try await subscription.next() else {
      throw UnexpectedEvent(detail: "a watch does not begin with its revision")
    }
    (self.user, self.list, start) = (user, list, revision.number)
    reading = Task {
      var record = Record()
      do {
        while let event = try await subscription.next() {
          guard case .changes(let set) = event else { continue }
          record.sets.append(set)
          guard set.changes.contains(where: \.isOfLastItem) else { continue }
          record.ending = .atLastItem
          break
        }
      } catch let error as ToDoError { record.ending = .failed(error) }
      return record
    }
  }

  /// Notes whether the user has access at the current revision.
  mutating func note(canRead: Bool, at revision: Int64) {
    if canRead { end = nil } else { end = end ?? revision }
    hasLostAccess = hasLostAccess || !canRead
  }

  /// Returns what the watch was told, once it has ended.
  func record() async throws -> Record { try await reading.value }

  struct UnexpectedEvent: Error {
    let detail: String
  }
}

extension ItemChange {
  var isOfLastItem: Bool { if case .put(let item, _) = self { item.title == MembershipWatch.lastTitle } else { false } }
}

/// A watch of a user's lists, and what it was told.
struct MembershipListWatch {
  let user: String
  /// What the user should see, one state after another.
  var states: [[MembershipModel.View]] = [[]]
  private let reading: Task<[[MembershipModel.View]], any Error>

  /// Begins a watch, which ends when the default list has the title of the last item.
  init(_ sets: ListSets, by user: String) async throws {
    let subscription = Subscription(sets)
    guard try await subscription.next()?.lists == [.inbox] else {
      throw MembershipWatch.UnexpectedEvent(detail: "a watch of lists does not begin with the lists")
    }
    self.user = user
    reading = Task {
      var told: [[MembershipModel.View]] = []
      while let set = try await subscription.next() {
        let lists = set.lists.filter { !$0.id.isDefault }.map { list in
          MembershipModel.View(id: list.id, owner: list.ownerUser, role: list.role, members: list.members)
        }
        told.append(lists.sorted { $0.id < $1.id })
        if set.lists.contains(where: { $0.name == MembershipWatch.lastTitle }) { break }
      }
      return told
    }
  }

  /// Returns what the watch was told, once it has ended.
  func told() async throws -> [[MembershipModel.View]] { try await reading.value }
}
