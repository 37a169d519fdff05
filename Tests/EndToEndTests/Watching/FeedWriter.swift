import ToDoModel
import ToDoRPC
import ToDoTestSupport

/// Performs random operations, and records the acknowledged changes.
struct FeedWriter: Sendable {
  let service: any ToDoService
  let number: Int
  private var random: SeededGenerator
  private var ids: [ItemID] = []
  private var added: UInt64 = 0
  private(set) var acknowledged: [ChangeSet] = []

  init(service: any ToDoService, number: Int, seed: UInt64) {
    self.service = service
    self.number = number
    random = SeededGenerator(seed: seed)
  }

  /// Performs a random operation. An operation whose outcome is unknown, because the connection was lost, is not recorded.
  mutating func performOperation() async throws {
    do {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<45: try await add()
      case 45..<50: try await addBatch()
      case 50..<65: try await put(.edited) { try await $0.updateItem($1, .retitled("Edited \($2)"), ifRevision: nil) }
      case 65..<80: try await put(.checked) { service, id, _ in try await service.checkItem(id, ifRevision: nil) }
      case 80..<88: try await put(.unchecked) { service, id, _ in try await service.uncheckItem(id, ifRevision: nil) }
      case 88..<97: try await delete()
      default: _ = try await service.deleteItems(.done)
      }
    } catch let error as RPCError where error.code == .unavailable {
      await Task.yield()
    } catch ToDoError.itemNotFound {
      // Another writer deleted all completed items.
    }
  }

  private mutating func newItem() -> NewItem {
    added += 1
    let id = ItemID(high: random.next(), low: UInt64(number) << 32 | added)
    // The check of an item that repeats changes two items.
    let repetition = added.isMultiple(of: 3) ? Repetition(.afterDone(.init(1, .daily))) : nil
    return NewItem(id: id, content: ItemContent(title: "Item \(added) of \(number)", repetition: repetition))
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
    _ cause: PutCause, _ change: (any ToDoService, ItemID, UInt64) async throws -> ToDoItem
  ) async throws {
    guard let id = ids.randomElement(using: &random) else { return }
    _ = try await change(service, id, random.next())
  }

  private mutating func delete() async throws {
    guard let index = ids.indices.randomElement(using: &random) else { return }
    _ = try await service.deleteItem(ids.remove(at: index), ifRevision: nil)
  }

  /// Records the changes of an add. Only for new items is it certain that this writer made their revision.
  private mutating func acknowledge(_ changes: [ItemChange]) {
    acknowledged.append(ChangeSet(revision: changes[0].revision, changes: changes))
  }
}

extension ItemEdit {
  fileprivate static func retitled(_ title: String) -> ItemEdit {
    var edit = ItemEdit()
    edit.title = title
    return edit
  }
}
