package import ToDoModel

/// An event that the coordinator and the screens handle.
package enum ScreenEvent: Equatable, Sendable {
  case key(KeyPress)
  case pointer(PointerEvent)
  /// A pasted text. It contains no control characters except newlines and tabs, and is not empty.
  case paste(String)
  /// An event of the watch, which the coordinator applies to the items.
  case watch(WatchEvent)
  /// The items have changed. `content` is already current.
  case changed(ContentChange)
  /// An effect has ended.
  case result(EffectResult)
  /// A timer that the screen started has expired.
  case timer(ScreenTimer)
  /// The window has another size.
  case resized
  /// The minute of the clock has changed. Texts and filters such as "today" depend on it.
  case minutePassed
  /// The screen is on top again, because the screen above it was closed.
  case resumed
  /// An earlier run left a draft of the form.
  case draftFound(FormDraft)
  /// The list that is shown was deleted.
  case listDeleted
  /// The state of the connection has changed. The environment contains the new state.
  case connection(ServiceLink)
}

/// A timer. Starting it again replaces the earlier one.
package enum ScreenTimer: Hashable, Sendable {
  /// The user has stopped typing an address.
  case addressTyped
  /// The user has stopped typing a title with a place.
  case placeTyped
  /// The draft of the form is to be stored.
  case draft
  /// The next part of a long search is due. Expires after the pending keys have been handled.
  case search
  /// The highlights of changed items end.
  case highlight
  /// The typed digits of a number are complete.
  case number
}

/// A key press.
package enum KeyPress: Hashable, Sendable {
  /// A printable character, including the blank.
  case character(Character)
  /// A key with Control, such as `.control("l")`.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete
  case up, down, left, right, pageUp, pageDown, home, end
  /// An arrow with Control, which differs from the arrow only in the due date of a form.
  case controlUp, controlDown

  /// The key without a modifier that makes no difference on most screens.
  var simplified: KeyPress {
    switch self {
    case .controlUp: .up
    case .controlDown: .down
    default: self
    }
  }
}

/// A mouse event.
package struct PointerEvent: Equatable, Sendable {
  enum Kind: Equatable, Sendable {
    case click, wheelUp, wheelDown
  }

  var kind: Kind
  var position: ScreenPosition
}
