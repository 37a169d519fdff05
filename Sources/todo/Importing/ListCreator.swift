import ToDoModel
import ToDoText

/// Creates the missing lists of an import before their items are added, and orders them afterwards.
struct ListCreator {
  private let lists: any ToDoListService
  private let session: Session
  /// The created lists that are not in their place yet, with their order.
  private var unordered: [(list: UserList, order: Int32)] = []

  init(lists: any ToDoListService, session: Session) {
    (self.lists, self.session) = (lists, session)
  }

  /// - Throws: `Failure`, whose message begins with the list's name.
  mutating func createMissing(_ groups: [ImportGroup]) async throws {
    for group in groups {
      guard let list = group.newList else { continue }
      do {
        let created = try await lists.createList(list)
        if let order = group.newOrder, order != created.order { unordered.append((created, order)) }
      } catch {
        printUnordered()
        var failure = Failure(error)
        failure.message = "the list '\(list.name.escapingControls())' can't be created: \(failure.message)"
        throw failure
      }
    }
  }

  /// Orders the created lists. A failure is a notice: the items were added, and another import leaves the list as it is.
  func order() async {
    for (list, order) in unordered {
      do { _ = try await lists.updateList(list.id, ListEdit(order: order), ifVersion: nil) } catch {
        printNotice("can't be ordered: \(Failure(error).message)", of: list, order)
      }
    }
  }

  /// Says which created lists remain without their order, since the import ends early.
  func printUnordered() {
    for (list, order) in unordered { printNotice("isn't ordered yet", of: list, order) }
  }

  private func printNotice(_ problem: String, of list: UserList, _ order: Int32) {
    let name = list.name.escapingControls()
    session.printNotice("The list '\(name)' \(problem). Order it with: todo lists order '\(name)' \(order)")
  }
}
