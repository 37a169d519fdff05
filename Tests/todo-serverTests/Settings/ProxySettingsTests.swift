import Configuration
import Testing
import ToDoRPC
import ToDoServer
import ToDoTestSupport

@testable import todo_server

/// Tests of the setting for proxies.
@Suite(.timeLimited) struct ProxySettingsTests {
  private func settings(_ proxies: [String], allowInsecure: Bool = false) async throws -> ServerSettings {
    try await ServerSettings(ServerSettings.Options(trustedProxy: proxies, allowInsecure: allowInsecure))
  }

  @Test func proxies_areAddresses_orUnixSockets() async throws {
    #expect(try await settings([]).limits.trustedProxies.isEmpty)
    let proxies = try await settings(["127.0.0.1", "2001:db8::/32", "unix"]).limits.trustedProxies
    let networks = ["127.0.0.1", "2001:db8::/32"].compactMap(TrustedProxies.Network.init)
    #expect(proxies == TrustedProxies(networks: networks, includesUnixSockets: true))
    let environment = EnvironmentVariablesProvider(
      environmentVariables: ["TODO_SERVER_TRUSTED_PROXY": "127.0.0.1,unix"], arraySeparator: ",")
    let read = try await ServerSettings(.init(), environment: environment).limits.trustedProxies
    #expect(read == TrustedProxies(networks: [networks[0]], includesUnixSockets: true))
  }

  @Test(arguments: ["", "localhost", "127.0.0.1/33", "127.0.0.1:80", "unix:///run/s", "[::1]"])
  func proxy_whenInvalid_isRejected(_ text: String) async {
    let error = await #expect(throws: SettingError.self) { try await settings([text]) }
    #expect(error?.name == "trusted-proxy" && error?.value == text)
  }

  // Everybody would reach a server that listens on a loopback address only.
  @Test func server_behindProxy_requiresCredentials() async throws {
    let open = try AccessConfiguration(try await settings([]), hasUsers: false)
    #expect(open.policy.anonymousList == .local)
    let proxied = try AccessConfiguration(try await settings(["127.0.0.1"]), hasUsers: false)
    #expect(proxied.policy.anonymousList == nil)
    #expect(proxied.warnings.contains { $0.contains("todo-server user add") })
    let insecure = try AccessConfiguration(try await settings(["127.0.0.1"], allowInsecure: true), hasUsers: false)
    #expect(insecure.policy.anonymousList == .local)
    #expect(insecure.warnings.contains { $0.hasPrefix("any client that reaches a trusted proxy can read") })
  }
}
