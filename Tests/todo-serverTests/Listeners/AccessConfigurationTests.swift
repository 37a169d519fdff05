import Testing
import ToDoModel
import ToDoServer
import ToDoTestServers
import ToDoTestSupport

@testable import todo_server

/// Tests of the access policy that settings specify, and of settings that prevent the start.
@Suite(.timeLimited) struct AccessConfigurationTests {
  private func plan(
    _ endpoint: String, hasUsers: Bool = false, _ change: (inout ServerSettings.Options) -> Void = { _ in }
  ) async throws -> AccessConfiguration {
    var options = ServerSettings.Options(listen: [endpoint])
    #if TLS
    (options.tlsCertificate, options.tlsKey) = ("c", "k")
    #endif
    change(&options)
    return try AccessConfiguration(try await ServerSettings(options), hasUsers: hasUsers)
  }

  private static var localEndpoints: [String] {
    let endpoints = ["tcp://127.0.0.1:0", "tcp://localhost", "tcp://[::1]:1", "unix:///s"]
    #if TLS
    return endpoints + ["tls://127.0.0.1"]
    #else
    return endpoints
    #endif
  }

  @Test(arguments: localEndpoints)
  func policy_onLocalEndpoint_isAnonymousUntilUsersExist(_ endpoint: String) async throws {
    let open = try await plan(endpoint)
    #expect(open.policy.anonymousList == .local)
    #expect(open.warnings == [])
    #expect(try await plan(endpoint, hasUsers: true).policy.anonymousList == nil)
    let strict = try await plan(endpoint) { $0.requireAuthentication = true }
    #expect(strict.policy.anonymousList == nil)
    #expect(strict.warnings.count == 1)
  }

  @Test(arguments: ["tcp://0.0.0.0", "tcp://[::]:1", "tcp://192.168.0.1", "tcp://example.org"])
  func policy_onRemoteEndpointWithoutTLS_throws(_ endpoint: String) async throws {
    for hasUsers in [false, true] {
      let error = await #expect(throws: SettingError.self) { _ = try await plan(endpoint, hasUsers: hasUsers) }
      #expect(error?.name == "listen")
    }
  }

  #if TLS
  @Test func policy_onRemoteEndpointWithTLS_requiresCredentials() async throws {
    let empty = try await plan("tls://0.0.0.0")
    #expect(empty.policy.anonymousList == nil)
    #expect(empty.warnings.count == 1)
    let plan = try await plan("tls://0.0.0.0", hasUsers: true)
    #expect(plan.policy.anonymousList == nil)
    #expect(plan.warnings == [])
  }
  #endif

  @Test func policy_whenInsecureIsAllowed_warns() async throws {
    let open = try await plan("tcp://0.0.0.0") { $0.allowInsecure = true }
    #expect(open.policy.anonymousList == .local)
    #expect(open.warnings.count == 2)
    let withUsers = try await plan("tcp://0.0.0.0", hasUsers: true) { $0.allowInsecure = true }
    #expect(withUsers.policy.anonymousList == nil)
    #expect(withUsers.warnings.count == 1)
  }

  @Test func unixUsers_includeServerRootAndAllowedUsers() async throws {
    let plan = try await plan("unix:///s") { $0.allowUnixUser = ["1234", "root"] }
    #expect(plan.policy.unixUsers == [0, 1234, ThisProcess.unixUser])
    await #expect(throws: SettingError.self) {
      _ = try await self.plan("unix:///s") { $0.allowUnixUser = ["nobody at all"] }
    }
  }

  @Test func tlsSettings_whenIncomplete_areRejected() async throws {
    for incomplete in [
      ServerSettings.Options(listen: ["tls://localhost"]), .init(tlsCertificate: "c"), .init(tlsKey: "k"),
      .init(tlsClientCA: "a"),
    ] {
      await #expect(throws: SettingError.self) { try await ServerSettings(incomplete) }
    }
  }

  @Test func allowedProcessors_countsBitsOfMask() {
    #expect(ThisProcess.allowedProcessors("Cpus_allowed:\tff,00000003\n") == 10)
    #expect(ThisProcess.allowedProcessors("Cpus_allowed_list:\t0-3\n") == nil)
    #expect(ThisProcess.processorCount.map { $0 > 0 } == true)
  }

  @Test func itemCache_isNumberOfMiB() async throws {
    #expect(try await ServerSettings(.init()).cacheSize == 64 << 20)
    #expect(try await ServerSettings(.init(itemCache: "0")).cacheSize == 0)
    #expect(try await ServerSettings(.init(itemCache: "7")).cacheSize == 7 << 20)
    for wrong in ["-1", "1.5", "64MiB", "", "9999999999999999"] {
      let error = await #expect(throws: SettingError.self) { try await ServerSettings(.init(itemCache: wrong)) }
      #expect(error?.name == "item-cache")
    }
  }

  @Test func maxItems_whenNotPositive_isRejected() async throws {
    #expect(try await ServerSettings(.init(maxItems: "7")).maximumItems == 7)
    for wrong in ["0", "-1", "many"] {
      await #expect(throws: SettingError.self) { try await ServerSettings(.init(maxItems: wrong)) }
    }
  }
}
