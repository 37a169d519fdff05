import Glibc
import NIOCore
import Testing
import ToDoTransport

/// A port to which connecting neither succeeds nor fails: its listen backlog is full, and no connection is accepted.
struct BlackHole {
  let endpoint: Endpoint
  private let descriptors: [Int32]

  init() throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let address = try SocketAddress(ipAddress: "127.0.0.1", port: 0)
    try #require(address.withSockAddr { bind(listener, $0, socklen_t($1)) } == 0)
    try #require(listen(listener, 0) == 0)
    // The address family, then the port in network byte order.
    var name = [UInt8](repeating: 0, count: 16)
    var length = socklen_t(name.count)
    let named = name.withUnsafeMutableBytes { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { getsockname(listener, $0.baseAddress, &length) }
    }
    try #require(named == 0)
    let port = Int(name[2]) << 8 | Int(name[3])
    let target = try SocketAddress(ipAddress: "127.0.0.1", port: port)
    var descriptors = [listener]
    for _ in 0..<4 {
      let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      _ = fcntl(client, F_SETFL, O_NONBLOCK)
      _ = target.withSockAddr { connect(client, $0, socklen_t($1)) }
      descriptors.append(client)
    }
    self.descriptors = descriptors
    endpoint = .tcp(host: "127.0.0.1", port: port)
  }

  func close() {
    for descriptor in descriptors { _ = Glibc.close(descriptor) }
  }
}
