import Testing
import ToDoClient
import ToDoRPC
import ToDoTransport

/// The endpoints that the token is sent to.
@Suite struct ConfigurationTests {
  @Test(arguments: [
    "localhost", "LocalHost", "127.0.0.1", "127.0.0.0", "127.255.255.255", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1", "::FFFF:7f01:203",
  ])
  func metadata_whenHostIsALoopbackAddress_containsTheToken(_ host: String) throws {
    #expect(Endpoint.tcp(host: host, port: 1).isLocal)
    #expect(Endpoint.tls(host: host, port: 1).isLocal)
    #expect(throws: Never.self) { try configuration.metadata(for: .tcp(host: host, port: 1)) }
  }

  @Test(arguments: [
    "127.example.invalid", "127.0.0.1.example.invalid", "127.", "127", "127.1", "127.0.1", "127.0.0.01", "127.0.0.256",
    "127.0.0.1.", "0127.0.0.1", "0x7f.0.0.1", "2130706433", "128.0.0.1", "126.0.0.1", "0.0.0.0", "::", "::2", "1::1",
    "::127.0.0.1", "::ffff:128.0.0.1", "::fffe:127.0.0.1", "::1%lo", "localhost.", "localhost.example.invalid",
    "xlocalhost", "127.0.0.1\u{0}.example.invalid", "localhost\u{0}", "\u{FF11}27.0.0.1", "",
  ])
  func metadata_whenHostCanBeAnotherMachine_throws(_ host: String) throws {
    #expect(!Endpoint.tcp(host: host, port: 1).isLocal)
    #expect(!Endpoint.tls(host: host, port: 1).isLocal)
    #expect(throws: (any Error).self) { try configuration.metadata(for: .tcp(host: host, port: 1)) }
  }

  private var configuration: ToDoClient.Configuration {
    var configuration = ToDoClient.Configuration()
    configuration.token = "todo_0"
    return configuration
  }

  // MARK: Unix sockets

  @Test func trustedUnixUsers_containsRootTheOwnUserAndTheConfiguredUsers() {
    var configuration = configuration
    #expect(configuration.trustedUnixUsers == [0, Peer.ownUnixUser])
    configuration.serverUnixUsers = [4711]
    #expect(configuration.trustedUnixUsers == [0, Peer.ownUnixUser, 4711])
    configuration.token = nil
    #expect(configuration.trustedUnixUsers == nil)
  }
}
