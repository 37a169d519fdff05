/// The state of a watch's connection to its server.
enum ConnectionState: Equatable, Sendable {
  case connecting, connected, disconnected
}
