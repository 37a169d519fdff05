import ToDoModel
import ToDoText

/// The question before the user leaves a list of another user, or declines an invitation to it.
struct LeavingQuestion: Equatable, Sendable {
  let list: UserList

  /// The effect of agreeing.
  var effect: Effect { .changeSharing(list, list.isInvitation ? .declined : .left) }

  /// The question with its keys.
  var text: String {
    let (name, owner) = (list.name.escapingControls(), list.ownerUser.escapingControls())
    return list.isInvitation
      ? "Decline \(owner)’s invitation to '\(name)'? y/n" : "Leave \(owner)’s list '\(name)'? y/n"
  }
}

/// An answer to a question that is answered with `y` or `n`.
enum YesOrNo: Equatable, Sendable {
  case yes, no

  /// Returns the answer that a key gives, or `nil` for another key.
  init?(_ key: KeyPress) {
    switch key {
    case .character("y"), .character("Y"): self = .yes
    case .character("n"), .character("N"), .escape: self = .no
    default: return nil
    }
  }
}
