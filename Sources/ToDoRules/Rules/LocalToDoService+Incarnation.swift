import ToDoModel

extension LocalToDoService {
  /// Checks the incarnation of a revision, if it names one.
  ///
  /// - Throws: `ToDoError.listReplaced` if the revision names another incarnation of the list.
  func check(_ revision: Revision?) throws(ToDoError) {
    guard let incarnation = revision?.incarnation, incarnation != store.incarnation else { return }
    throw .listReplaced
  }

  /// Returns a revision with the list's incarnation.
  func stamped(_ revision: Revision) -> Revision { Revision(revision.number, of: store.incarnation) }
}
