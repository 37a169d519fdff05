/// What the user entered at the terminal.
package enum TypedInput: Equatable, Sendable {
  case key(KeyPress)
  case pointer(PointerEvent)
  /// A pasted text. It contains no control characters except newlines and tabs, and is not empty.
  case paste(String)
}
