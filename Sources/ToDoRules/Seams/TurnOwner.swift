package import ToDoModel
package import ToDoSupport

/// The owner whose turns the current task takes in the stores, which serve owners in turn.
///
/// The items in a user's further lists have their own owners, but take the user's turns.
package enum TurnOwner {
  /// The owner whose turns the task takes; `nil` for the owner of the items.
  @TaskLocal package static var current: OwnerID?
}

extension Lookup {
  /// Returns the same lookup, whose pending work takes the turns of an owner.
  package func takingTurns(of owner: OwnerID) -> Lookup {
    switch self {
    case .ready: self
    case .pending(let work): .pending { try await TurnOwner.$current.withValue(owner) { try await work() } }
    }
  }
}
