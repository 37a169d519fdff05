import ToDoModel

/// One change to undo or to redo, which may consist of several revisions.
struct ReversalStep {
  /// The change, or `nil` if it is no longer retained.
  let change: RevisionRecord?
  /// The revisions to revert, in this order.
  let revisions: [Revision]

  /// The commands that revert revisions.
  enum Kind: String {
    case undo, redo

    /// The past participle of the command.
    var participle: String {
      switch self {
      case .undo: "undone"
      case .redo: "redone"
      }
    }
  }
}
