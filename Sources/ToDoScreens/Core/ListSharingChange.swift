package import ToDoModel
import ToDoText

/// A change to a list's sharing.
package enum ListSharingChange: Equatable, Sendable {
  /// The user accepts an invitation.
  case accepted
  /// The user declines an invitation.
  case declined
  /// The user leaves a list of another user.
  case left
  /// Another user is invited, or can do something else from now on.
  case shared(with: String, as: ListRole)
  /// Another user is no longer in the list, or no longer invited.
  case unshared(with: String)
}

extension ListSharingChange {
  /// Returns the change in the past tense.
  ///
  /// - Parameter list: the list before the change.
  func text(_ list: UserList) -> String {
    let name = "'\(list.name.escapingControls())'"
    switch self {
    case .accepted: return "accepted \(name)"
    case .declined: return "declined \(name)"
    case .left: return "left \(name)"
    case .shared(let user, let role):
      let member = list.members.first { $0.user == user }
      let user = user.escapingControls()
      guard let member else { return "invited \(user) to \(role.verb) \(name)" }
      return "\(user) \(member.isInvited ? "is invited to \(role.verb)" : role.ability) \(name) now"
    case .unshared(let user): return "\(name) is no longer shared with \(user.escapingControls())"
    }
  }
}

extension ListRole {
  /// The verb for the role's use of a list, such as `edit`.
  var verb: String {
    switch self {
    case .owner: "own"
    case .editor: "edit"
    case .viewer: "view"
    }
  }

  /// The words for the role's right to a list, such as `can edit`.
  var ability: String { self == .owner ? "owner" : "can \(verb)" }
}
