/// The action of a key in a full-screen watch.
enum Key: Equatable, Sendable {
  case quit
  case up, down, pageUp, pageDown, top, bottom
  case redraw
}
