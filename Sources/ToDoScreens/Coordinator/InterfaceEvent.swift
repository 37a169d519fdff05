package import ToDoModel

/// An event from outside the screens.
package enum InterfaceEvent: Equatable, Sendable {
  case typed(TypedInput)
  case watch(WatchEvent)
  case result(EffectResult)
  case timer(ScreenTimer)
  case resized
  case minutePassed
  /// An earlier run left a draft of the form.
  case draftFound(FormDraft)
  /// The state of the connection has changed. The environment contains the new state.
  case connection(ServiceLink)
}

/// The drawing of the whole window.
package struct WindowDrawing: Equatable, Sendable {
  /// One line for each row of the window.
  package var lines: [String]
  /// The position of the text cursor, or `nil` to hide it.
  package var cursor: ScreenPosition?
}
