import ToDoModel
import ToDoRPC
import ToDoTestSupport
import ToDoText

/// Performs random operations on the observed list, moves items between it and another list, and records the acknowledged
/// changes of the observed one.
struct FeedWriter: Sendable {
  private let lists: any ToDoListService
  /// The observed list.
  private let service: any ToDoService
  /// The list to which items leave.
  private let elsewhere: ListID
  private let number: Int
  private var random: SeededGenerator
  private var ids: [ItemID] = []
  /// The items that have left the observed list.
  private(set) var leftIDs: [ItemID] = []
  /// The revisions of checks and skips.
  private var occurrences: [Revision] = []
  private var added: UInt64 = 0
  private(set) var acknowledged: [ChangeSet] = []

  /// - Parameter lists: the lists of a user, whose default list is observed.
  init(lists: any ToDoListService, elsewhere: ListID, number: Int, seed: UInt64) {
    self.lists = lists
    service = lists.items(in: .default)
    self.elsewhere = elsewhere
    self.number = number
    random = SeededGenerator(seed: seed)
  }

  /// Performs a random operation. An operation whose outcome is unknown, because the connection was lost, is not recorded.
  mutating func performOperation() async throws {
    do {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<40: try await add()
      case 40..<45: try await addBatch()
      case 45..<57: try await put { try await $0.updateItem($1, .edited(by: $2), ifRevision: nil) }
      case 57..<69: try await check()
      case 69..<74: try await put { service, id, _ in try await service.uncheckItem(id, ifRevision: nil) }
      case 74..<77: try await skip()
      case 77..<80: try await undo()
      case 80..<86: try await delete()
      case 86..<92: try await leave()
      case 92..<97: try await comeBack()
      default: _ = try await service.deleteItems(.done)
      }
    } catch let error as RPCError where error.code == .unavailable {
      await Task.yield()
    } catch ToDoError.itemNotFound {
      // Another writer deleted all completed items.
    } catch ToDoError.revisionCompacted {
      // The check to undo is no longer retained.
    }
  }

  private mutating func newItem() -> NewItem {
    added += 1
    let id = ItemID(high: random.next(), low: UInt64(number) << 32 | added)
    var content = ItemContent(title: "Item \(added) of \(number)", priority: Bool.random(using: &random) ? .high : nil)
    // The check of an item that repeats changes two items.
    if added.isMultiple(of: 6) {
      content.due = .date(CalendarDate.epoch)
      content.repetition = Repetition(.calendar(RecurrenceRule(.daily)))
    } else if added.isMultiple(of: 3) {
      content.repetition = Repetition(.afterDone(.init(1, .daily)))
    }
    return NewItem(id: id, content: content)
  }

  private mutating func add() async throws {
    let new = newItem()
    ids.append(new.id)
    let item = try await service.addItem(new, options: SaveOptions(allowsDuplicate: true))
    acknowledge([.put(item, .added)])
  }

  private mutating func addBatch() async throws {
    let new = (0..<Int.random(in: 2...30, using: &random)).map { _ in newItem() }
    ids += new.map(\.id)
    let items = try await service.addItems(new, options: SaveOptions(allowsDuplicate: true))
    acknowledge(items.map { .put($0, .added) })
  }

  private mutating func put(
    _ change: (any ToDoService, ItemID, UInt64) async throws -> ToDoItem
  ) async throws {
    guard let id = ids.randomElement(using: &random) else { return }
    _ = try await change(service, id, random.next())
  }

  private mutating func check() async throws {
    guard let id = ids.randomElement(using: &random) else { return }
    occurrences.append(try await service.checkItem(id, ifRevision: nil).revision)
  }

  /// Moves an item on to its next occurrence, if it repeats.
  private mutating func skip() async throws {
    guard let id = ids.randomElement(using: &random) else { return }
    let item = try await service.item(id)
    guard let edit = ItemEdit(skipping: item, now: item.updatedAt, in: SystemTimeZone()) else { return }
    occurrences.append(try await service.updateItem(id, edit, ifRevision: nil).revision)
  }

  /// Undoes a check or a skip, unless the item has changed since.
  private mutating func undo() async throws {
    guard let revision = occurrences.popLast() else { return }
    _ = try await service.revertRevision(revision)
  }

  private mutating func delete() async throws {
    guard let index = ids.indices.randomElement(using: &random) else { return }
    _ = try await service.deleteItem(ids.remove(at: index), ifRevision: nil)
  }

  /// Moves items out of the observed list.
  private mutating func leave() async throws {
    let leaving = ids.takeRandom(using: &random)
    guard !leaving.isEmpty else { return }
    _ = try await lists.moveItems(leaving, from: .default, to: elsewhere, allowingDuplicate: true)
    leftIDs += leaving
  }

  /// Moves items back to the observed list.
  private mutating func comeBack() async throws {
    let coming = leftIDs.takeRandom(using: &random)
    guard !coming.isEmpty else { return }
    let items = try await lists.moveItems(coming, from: elsewhere, to: .default, allowingDuplicate: true)
    ids += coming
    acknowledge(items.map { .put($0, .added) })
  }

  /// Records the changes of an add or a move. Only for items that are new to the list is it certain that this writer made their
  /// revision.
  private mutating func acknowledge(_ changes: [ItemChange]) {
    acknowledged.append(ChangeSet(revision: changes[0].revision, changes: changes))
  }
}

extension [ItemID] {
  /// Removes up to four items, and returns them. If their move fails, they are forgotten, because their list is unknown.
  fileprivate mutating func takeRandom(using random: inout SeededGenerator) -> [ItemID] {
    (0..<Int.random(in: 1...4, using: &random)).compactMap { _ in
      indices.randomElement(using: &random).map { remove(at: $0) }
    }
  }
}

extension ItemEdit {
  /// Changes the title, and half of the times the priority.
  fileprivate static func edited(by number: UInt64) -> ItemEdit {
    var edit = ItemEdit()
    edit.title = "Edited \(number)"
    if number.isMultiple(of: 2) { edit.priority = number.isMultiple(of: 4) ? .set(.high) : .clear }
    return edit
  }
}
