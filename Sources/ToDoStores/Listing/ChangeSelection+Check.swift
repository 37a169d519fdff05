package import ToDoModel
package import ToDoRules

extension ChangeSelection {
  /// Checks that all changes after its revision are there.
  ///
  /// - Parameters:
  ///   - oldest: the earliest revision after which the feed can be read.
  ///   - current: the owner's revision.
  package func check(oldest: Revision, current: Revision) throws(ToDoError) {
    guard after >= oldest else { throw .revisionCompacted(oldest: oldest) }
    guard after <= current else { throw .revisionInFuture(current: current) }
  }
}
