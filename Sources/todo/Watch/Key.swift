/// What a key does that the watch understands.
enum Key: Equatable, Sendable {
  case quit
  case up, down, pageUp, pageDown, top, bottom
  case redraw
}
