import Glibc
import Logging
import NIOCore
import NIOPosix
import Testing
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoRPC
@testable import ToDoTTRPCTransport
@testable import ToDoTransport

/// The file of a listening Unix socket.
@Suite(.timeLimited) struct UnixSocketTests {
  private let methods = TestMethods()

  private func bind(_ path: String) async throws -> ServerListener {
    try await ServerListener.bind(
      [.unix(path: path)], methods: methods.table, on: MultiThreadedEventLoopGroup.singleton,
      logger: Logger(label: "test"))
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  private func expectService(_ path: String) async throws {
    try await RawClient.with(.unix(path: path)) { client in
      let answer = try await client.response(to: .request(1, "Say", "here"))
      #expect(try answer.text == "here")
    }
  }

  /// The socket file of a server that has crashed.
  private func leaveSocket(_ path: String, backlog: Int32? = nil) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    try #require(descriptor >= 0)
    try withSocketAddress(path) { address, length in try #require(Glibc.bind(descriptor, address, length) == 0) }
    if let backlog { try #require(listen(descriptor, backlog) == 0) }
    return descriptor
  }

  private func withSocketAddress<Value>(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Value
  ) throws -> Value {
    try SocketAddress(unixDomainSocketPath: path).withSockAddr { try body($0, socklen_t($1)) }
  }

  @Test func shutDown_whenAnotherServerReplacedFile_keepsFile() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      let first = try await bind(path)
      try #require(unlink(path) == 0)
      let second = try await bind(path)
      await first.shutDown(grace: .zero)
      try await expectService(path)
      await second.shutDown(grace: .zero)
      #expect(mode(path) == nil)
    }
  }

  @Test func socketFile_isPrivate_andRemovedAtShutdown() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      let listener = try await bind(path)
      #expect(mode(path) == S_IFSOCK | 0o600)
      try await expectService(path)
      await listener.shutDown(grace: .zero)
      #expect(mode(path) == nil)
    }
  }

  @Test(arguments: [(true, 0o666), (false, 0o600)] as [(Bool, mode_t)])
  func socketFile_whenItStartsToListen_alreadyHasItsMode(_ isOpen: Bool, _ permissions: mode_t) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      let temporary = "\(path).\(getpid())"
      let (channel, _) = try await SocketFile.bind(path, isOpen: isOpen) { descriptor in
        #expect(mode(temporary) == S_IFSOCK | permissions)
        #expect(mode(path) == nil)
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        // The socket is bound, so that the file exists, but it does not listen.
        #expect(try withSocketAddress(temporary) { connect(client, $0, $1) } == -1)
        #expect(errno == ECONNREFUSED)
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).withBoundSocket(descriptor).get()
      }
      #expect(mode(path) == S_IFSOCK | permissions)
      try await channel.close()
    }
  }

  @Test func bind_whenCrashedServerLeftFile_replacesFile() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      close(try leaveSocket(path))
      #expect(mode(path) != nil)
      let listener = try await bind(path)
      try await expectService(path)
      #expect(mode(path) == S_IFSOCK | 0o600)
      await listener.shutDown(grace: .zero)
    }
  }

  @Test func bind_whenAnotherServerListens_fails() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      let listener = try await bind(path)
      let error = await #expect(throws: EndpointError.self) { _ = try await bind(path) }
      #expect(error?.endpoint == .unix(path: path))
      try await expectService(path)
      await listener.shutDown(grace: .zero)
    }
  }

  @Test func bind_whenAnotherServerIsTooBusyToAccept_fails() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      let descriptor = try leaveSocket(path, backlog: 0)
      var clients: [Int32] = []
      defer { for descriptor in clients + [descriptor] { close(descriptor) } }
      // Connects until the listen backlog is full.
      while true {
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        clients.append(client)
        guard try withSocketAddress(path, { connect(client, $0, $1) }) == 0 else { break }
      }
      await #expect(throws: EndpointError.self) { _ = try await bind(path) }
      var status = stat()
      #expect(lstat(path, &status) == 0)
    }
  }

  @Test(arguments: ["a file", "a directory", "a link"])
  func bind_whenFileIsNotSocket_fails(_ kind: String) async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      switch kind {
      case "a file": close(open(path, O_CREAT | O_WRONLY, 0o644))
      case "a directory": mkdir(path, 0o755)
      default: symlink("/dev/null", path)
      }
      let before = mode(path)
      await #expect(throws: EndpointError.self) { _ = try await bind(path) }
      #expect(before != nil && mode(path) == before)
    }
  }

  @Test(arguments: ["/no/such/directory/todo.sock", "/" + String(repeating: "x", count: 200)])
  func bind_whenPathIsInvalid_namesPath(_ path: String) async throws {
    let error = await #expect(throws: EndpointError.self) { _ = try await bind(path) }
    #expect(error?.description.contains(path) == true)
  }

  @Test func bind_whenOneEndpointFails_bindsNone() async throws {
    try await withTemporaryDirectory { directory in
      let (free, taken) = ("\(directory)/free.sock", "\(directory)/taken.sock")
      let listener = try await bind(taken)
      await #expect(throws: EndpointError.self) {
        _ = try await ServerListener.bind(
          [.unix(path: free), .unix(path: taken)], methods: methods.table, on: MultiThreadedEventLoopGroup.singleton,
          logger: Logger(label: "test"))
      }
      #expect(mode(free) == nil)
      try await expectService(taken)
      await listener.shutDown(grace: .zero)
    }
  }

  @Test func connect_whenServerRunsAsAnotherUser_failsBeforeSending() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/todo.sock"
      let listener = try await bind(path)
      var configuration = ClientConfiguration()
      func connect() async throws -> ClientConnection {
        try await ClientConnection.connect(
          to: .unix(path: path), configuration: configuration, on: MultiThreadedEventLoopGroup.singleton,
          logger: Logger(label: "test"))
      }
      for users in [[], [Peer.ownUnixUser + 1]] as [Set<UInt32>] {
        configuration.unixUsers = users
        let error = await #expect(throws: RPCError.self) { try await connect() }
        #expect(error?.reason == "TOKEN_NOT_SENT")
        #expect(error?.code == .failedPrecondition)
      }
      configuration.unixUsers = [Peer.ownUnixUser]
      let connection = try await connect()
      #expect(try await connection.call("Say", "here") == "here")
      await connection.close()
      await listener.shutDown(grace: .zero)
    }
  }
}
