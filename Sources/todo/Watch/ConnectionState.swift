/// How a watch is connected with its server.
enum ConnectionState: Equatable, Sendable {
  case connecting, connected, disconnected
}
