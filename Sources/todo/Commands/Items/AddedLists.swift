import ToDoModel
import ToDoRPC
import ToDoText

/// The lists that sentences can name, which are looked up for the first sentence that may name one.
struct AddedLists {
  private let connection: ServiceConnection
  private let session: Session
  private var lists: ListSet?

  init(_ connection: ServiceConnection, in session: Session) {
    (self.connection, self.session) = (connection, session)
  }

  /// Returns the names of the lists that the words can name.
  ///
  /// - Throws: the errors of the service, unless it does not support several lists.
  mutating func names(for words: TypedWords) async throws -> Set<String> {
    guard words.mayNameList else { return [] }
    if lists == nil {
      do { lists = try await connection.lists.lists() } catch let error as RPCError where error.code == .unimplemented {
        return []
      }
    }
    return Set(lists?.lists.map(\.name) ?? [])
  }

  /// Returns the service that adds an item, and how the item is printed.
  ///
  /// - Throws: `Failure` if the words name several lists, or another one than the option `--list`.
  func target(of text: AddedText) throws -> (service: any ToDoService, printed: PrintedList?) {
    guard let name = text.list, let lists else { return (connection.service, PrintedList.current) }
    let list = try lists.list(name)
    if let option = session.list, connection.list?.id != list.id {
      throw Failure.usage(
        "'/\(name.escapingControls())' and '--list \(option.escapingControls())' are different lists; leave out one of them",
        reason: "DIFFERENT_LISTS")
    }
    let inUse = session.listInUse(of: lists, in: try session.selection())
    return (connection.lists.items(in: list.id), session.printedList(list, of: lists, unlessUsed: inUse))
  }
}
