import ToDoModel

/// The lists that the items of a file name, and new ones for those that do not exist.
///
/// The list with a reference's ID comes first. A file can come from another service, so the user's own list with the name is
/// next; never a list that another user shares, whose members would see the items. Lists with several IDs remain several lists,
/// also if they have one name.
struct ReferencedLists {
  /// All lists, the new ones included.
  private(set) var lists: ListSet
  /// The lists to create.
  private(set) var new: [ListID: NewList] = [:]
  /// The positions of the lists to create, if the file has them.
  private(set) var orders: [ListID: Int32] = [:]
  private var found: [ImportedItem.ListReference: ListID] = [:]
  /// The lists by the ID that the file has for them.
  private var listsByID: [ListID: ListID] = [:]

  /// Finds the lists that items name.
  ///
  /// - Parameter lists: all lists of the user, deleted ones included.
  ///
  /// - Throws: `ImportErrors` for lists that neither exist nor can be created.
  init(_ items: [ImportedItem], in lists: ListSet) throws(ImportErrors) {
    self.lists = lists
    var known: Set<ImportedItem.ListReference> = []
    var references: [(reference: ImportedItem.ListReference, line: Int)] = []
    for item in items {
      if let reference = item.list, known.insert(reference).inserted { references.append((reference, item.line)) }
    }
    // An ID that comes late in the file has precedence over a name, too.
    for (reference, _) in references {
      if let id = reference.id, lists.lists.contains(where: { $0.id == id && !$0.isDeleted }) { listsByID[id] = id }
    }
    var errors: [ImportError] = []
    for (reference, line) in references {
      do throws(MissingList) { found[reference] = try list(for: reference) } catch {
        errors.append(ImportError(line: line, field: "list", reason: error.reason))
      }
    }
    if !errors.isEmpty { throw ImportErrors(errors: errors) }
    for (reference, _) in references { completeNewList(from: reference) }
  }

  /// Returns the list that an item names.
  ///
  /// - Parameter current: the list of items that name none.
  /// - Throws: `ToDoError.listNotFound` if the current list does not exist.
  func list(of item: ImportedItem, orCurrent current: ListID) throws(ToDoError) -> UserList {
    let id = item.list.flatMap { found[$0] } ?? current
    guard let list = lists.lists.first(where: { $0.id == id }) else { throw .listNotFound(id) }
    return list
  }

  private mutating func list(for reference: ImportedItem.ListReference) throws(MissingList) -> ListID {
    if let id = reference.id, let list = listsByID[id] { return list }
    let numbered = numbered(reference)
    let existing = numbered.name.flatMap { ownList(named: $0) }?.id
    let list = if let existing { existing } else { try addList(for: numbered) }
    if let id = reference.id { listsByID[id] = list }
    return list
  }

  /// Returns the reference with a number after its name if the file has another ID for the user's list with the name.
  private func numbered(_ reference: ImportedItem.ListReference) -> ImportedItem.ListReference {
    guard reference.id != nil, let name = reference.name else { return reference }
    var (numbered, number) = (reference, 1)
    while let list = numbered.name.flatMap({ ownList(named: $0) }), listsByID.values.contains(list.id) {
      number += 1
      numbered.name = "\(name) \(number)"
    }
    return numbered
  }

  private mutating func addList(for reference: ImportedItem.ListReference) throws(MissingList) -> ListID {
    let list = NewList(name: try reference.newName(besides: lists))
    new[list.id] = list
    lists.lists.append(UserList(id: list.id, name: list.name))
    return list.id
  }

  /// Takes the color and the order of a new list from a reference, unless an earlier one has had them.
  private mutating func completeNewList(from reference: ImportedItem.ListReference) {
    guard let id = found[reference], var list = new[id] else { return }
    if list.color == .none { list.color = reference.color ?? .none }
    new[id] = list
    if orders[id] == nil { orders[id] = reference.order }
  }

  private func ownList(named name: String) -> UserList? {
    ListSet(version: 0, lists: lists.lists.filter { $0.role == .owner }).list(named: name)
  }
}

/// A list does not exist, and cannot be created.
private struct MissingList: Error {
  let reason: String
}

/// Errors in a file, by line.
struct ImportErrors: Error {
  /// At least one.
  let errors: [ImportError]
}

extension ImportedItem.ListReference {
  /// Returns a new list's name. Its ID is new, too: that of the reference may belong to another user's list.
  fileprivate func newName(besides lists: ListSet) throws(MissingList) -> String {
    let remedy = "or import all items into one list with '--list'"
    let deletedLists = lists.lists.filter { $0.isDeleted && $0.role == .owner }
    if let deleted = deletedLists.first(where: { $0.id == id || $0.name == name }) {
      throw MissingList(
        reason:
          "the list '\(deleted.name)' is deleted; restore it with: todo lists restore '\(deleted.name)', \(remedy)")
    }
    guard let name else {
      throw MissingList(reason: "no list has the ID '\(id?.description ?? "")'; name another list, \(remedy)")
    }
    if let violation = UserList.violations(ofName: name, at: "name").first {
      throw MissingList(reason: "the name of the new list '\(name)' \(violation.reason); name another list, \(remedy)")
    }
    return name
  }
}
