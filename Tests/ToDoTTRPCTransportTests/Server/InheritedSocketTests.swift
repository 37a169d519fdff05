import Glibc
import Logging
import NIOCore
import NIOPosix
import Testing
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoTTRPCTransport
@testable import ToDoTransport

/// Sockets that a service manager has opened.
@Suite(.timeLimited) struct InheritedSocketTests {
  private func environment(_ count: String, process: Int32 = getpid()) -> (String) -> String? {
    { name in ["LISTEN_PID": "\(process)", "LISTEN_FDS": count][name] }
  }

  /// Returns a Unix socket that is bound to a path.
  ///
  /// - Parameter listens: whether the socket also listens.
  private func openSocket(_ path: String, listens: Bool = true) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    let bound = try SocketAddress(unixDomainSocketPath: path).withSockAddr { address, length in
      Glibc.bind(descriptor, address, socklen_t(length))
    }
    try #require(bound == 0)
    if listens { try #require(listen(descriptor, 8) == 0) }
    return descriptor
  }

  /// Returns the port that a TCP socket is bound to: the two bytes after the family of its address.
  private func port(of descriptor: Int32) throws -> Int {
    var (bytes, length) = ([UInt8](repeating: 0, count: 128), socklen_t(128))
    let result = bytes.withUnsafeMutableBytes { bytes in
      getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    try #require(result == 0)
    return Int(bytes[2]) << 8 | Int(bytes[3])
  }

  @Test func listener_whenSocketIsInherited_servesItAndKeepsItsFile() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      let descriptor = try openSocket(path)
      let inherited = try InheritedSockets(environment("1"), first: descriptor)
      try inherited.check([.unix(path: path)])
      let listener = try await ServerListener.bind(
        [.unix(path: path)], methods: TestMethods().table, inherited: inherited,
        on: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test"))
      try await RawClient.with(.unix(path: path)) { client in
        let response = try await client.response(to: .request(1, "Say", "here"))
        #expect(try response.text == "here")
      }
      await listener.shutDown(grace: .zero)
      // The service manager listens there again.
      #expect(access(path, F_OK) == 0)
    }
  }

  @Test func listener_whenTCPSocketIsInherited_servesIt() async throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let bound = try SocketAddress(ipAddress: "127.0.0.1", port: 0).withSockAddr { address, length in
      Glibc.bind(descriptor, address, socklen_t(length))
    }
    try #require(bound == 0 && listen(descriptor, 8) == 0)
    let endpoint = Endpoint.tcp(host: "127.0.0.1", port: try port(of: descriptor))
    let listener = try await ServerListener.bind(
      [endpoint], methods: TestMethods().table, inherited: try InheritedSockets(environment("1"), first: descriptor),
      on: MultiThreadedEventLoopGroup.singleton, logger: Logger(label: "test"))
    try await RawClient.with(endpoint) { client in
      let response = try await client.response(to: .request(1, "Say", "here"))
      #expect(try response.text == "here")
    }
    await listener.shutDown(grace: .zero)
  }

  @Test func init_whenSocketsAreForAnotherProcess_hasNone() throws {
    let inherited = try InheritedSockets(environment("1", process: getpid() + 1))
    #expect(inherited.descriptor(for: .unix(path: "/run/todo.sock")) == nil)
    #expect(try InheritedSockets { _ in nil }.descriptor(for: .unix(path: "/run/todo.sock")) == nil)
  }

  @Test(arguments: ["", "-1", "one", "65"])
  func init_whenCountIsInvalid_throws(_ count: String) {
    #expect(throws: InheritedSocketError.self) { try InheritedSockets(environment(count)) }
  }

  @Test func init_whenDescriptorIsNoListeningSocket_throws() async throws {
    try await withTemporaryDirectory { directory in
      let descriptor = try openSocket("\(directory)/todo.sock", listens: false)
      defer { close(descriptor) }
      #expect(throws: InheritedSocketError.self) { try InheritedSockets(environment("1"), first: descriptor) }
    }
  }

  @Test func check_whenNoEndpointNamesSocket_throws() async throws {
    try await withTemporaryDirectory { directory in
      let descriptor = try openSocket("\(directory)/todo.sock")
      defer { close(descriptor) }
      let inherited = try InheritedSockets(environment("1"), first: descriptor)
      let error = #expect(throws: InheritedSocketError.self) { try inherited.check([.unix(path: "/elsewhere.sock")]) }
      #expect(error?.description.contains("\(directory)/todo.sock") == true)
    }
  }

  @Test func check_whenTwoEndpointsNameOneSocket_throws() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      let descriptor = try openSocket(path)
      defer { close(descriptor) }
      let inherited = try InheritedSockets(environment("1"), first: descriptor)
      let error = #expect(throws: InheritedSocketError.self) {
        try inherited.check([.unix(path: path), .unix(path: "/elsewhere.sock"), .unix(path: path)])
      }
      #expect(error?.description.contains("two settings name the service manager's socket") == true)
      try inherited.check([.unix(path: path), .unix(path: "/elsewhere.sock"), .unix(path: "/elsewhere.sock")])
    }
  }

  @Test func socket_whenInherited_isClosedInChildProcesses() async throws {
    try await withTemporaryDirectory { directory in
      let descriptor = try openSocket("\(directory)/todo.sock")
      defer { close(descriptor) }
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0)
      _ = try InheritedSockets(environment("1"), first: descriptor)
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC == FD_CLOEXEC)
    }
  }
}
