package import ToDoModel

/// One change to undo or to redo, which may consist of several revisions.
package struct ReversalStep {
  /// The change, or `nil` if it is no longer retained.
  package let change: RevisionRecord?
  /// The revisions to revert, in this order.
  package let revisions: [Revision]

  /// Creates a step.
  package init(change: RevisionRecord?, revisions: [Revision]) {
    (self.change, self.revisions) = (change, revisions)
  }

  /// The commands that revert revisions.
  package enum Kind: String {
    case undo, redo

    /// The past participle of the command.
    package var participle: String {
      switch self {
      case .undo: "undone"
      case .redo: "redone"
      }
    }
  }
}
