/// A change of the due date by one key in the form.
enum DueStep: Equatable, Sendable {
  case days(Int)
  case clear

  /// Creates the change that a key means. Down is later, as in the list.
  init?(_ key: KeyPress) {
    switch key {
    case .controlDown, .control("n"): self = .days(1)
    case .controlUp, .control("p"): self = .days(-1)
    case .pageDown: self = .days(7)
    case .pageUp: self = .days(-7)
    case .control("x"): self = .clear
    default: return nil
    }
  }
}
