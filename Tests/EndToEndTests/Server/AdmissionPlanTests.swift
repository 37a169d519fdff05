import TTRPCTransport
import Testing
import ToDoModel
import ToDoServer

@testable import todo_server

/// Who is let in by which settings, and when the server does not start.
@Suite struct AdmissionPlanTests {
  private func plan(
    _ endpoint: String, hasUsers: Bool = false, _ change: (inout ServerSettings.Options) -> Void = { _ in }
  ) async throws -> AdmissionPlan {
    var options = ServerSettings.Options(listen: [endpoint], tlsCertificate: "c", tlsKey: "k")
    change(&options)
    return try AdmissionPlan(try await ServerSettings(options), hasUsers: hasUsers)
  }

  @Test(arguments: ["tcp://127.0.0.1:0", "tcp://localhost", "tcp://[::1]:1", "unix:///s", "tls://127.0.0.1"])
  func onThisMachine_oneListIsForAll_untilThereAreUsers(_ endpoint: String) async throws {
    let open = try await plan(endpoint)
    #expect(open.policy.anonymousList == .local)
    #expect(open.warnings == [])
    #expect(try await plan(endpoint, hasUsers: true).policy.anonymousList == nil)
    let strict = try await plan(endpoint) { $0.requireAuthentication = true }
    #expect(strict.policy.anonymousList == nil)
    #expect(strict.warnings.count == 1)
  }

  @Test(arguments: ["tcp://0.0.0.0", "tcp://[::]:1", "tcp://192.168.0.1", "tcp://example.org"])
  func forOtherMachines_withoutTLS_itDoesNotStart(_ endpoint: String) async throws {
    for hasUsers in [false, true] {
      let error = await #expect(throws: SettingError.self) { _ = try await plan(endpoint, hasUsers: hasUsers) }
      #expect(error?.name == "listen")
    }
  }

  @Test func forOtherMachines_withTLS_credentialsAreNeeded() async throws {
    let empty = try await plan("tls://0.0.0.0")
    #expect(empty.policy.anonymousList == nil)
    #expect(empty.warnings.count == 1)
    let plan = try await plan("tls://0.0.0.0", hasUsers: true)
    #expect(plan.policy.anonymousList == nil)
    #expect(plan.warnings == [])
  }

  @Test func allowInsecure_startsAndWarns() async throws {
    let open = try await plan("tcp://0.0.0.0") { $0.allowInsecure = true }
    #expect(open.policy.anonymousList == .local)
    #expect(open.warnings.count == 2)
    let withUsers = try await plan("tcp://0.0.0.0", hasUsers: true) { $0.allowInsecure = true }
    #expect(withUsers.policy.anonymousList == nil)
    #expect(withUsers.warnings.count == 1)
  }

  @Test func unixUsers_areTheServersOwn_theSystems_andThoseThatAreNamed() async throws {
    let plan = try await plan("unix:///s") { $0.allowUnixUser = ["1234", "root"] }
    #expect(plan.policy.unixUsers == [0, 1234, todo_server.ServerProcess.unixUser])
    await #expect(throws: SettingError.self) {
      _ = try await self.plan("unix:///s") { $0.allowUnixUser = ["nobody at all"] }
    }
  }

  @Test func settingsOfTLS_goTogether() async throws {
    for incomplete in [
      ServerSettings.Options(listen: ["tls://localhost"]), .init(tlsCertificate: "c"), .init(tlsKey: "k"),
      .init(tlsClientCA: "a"),
    ] {
      await #expect(throws: SettingError.self) { try await ServerSettings(incomplete) }
    }
  }

  @Test func processorsThatMayBeUsed_areCounted() {
    #expect(todo_server.ServerProcess.allowedProcessors("Cpus_allowed:\tff,00000003\n") == 10)
    #expect(todo_server.ServerProcess.allowedProcessors("Cpus_allowed_list:\t0-3\n") == nil)
    #if os(Linux)
      #expect(todo_server.ServerProcess.processorCount.map { $0 > 0 } == true)
    #endif
  }

  @Test func itemCache_isANumberOfMiB() async throws {
    #expect(try await ServerSettings(.init()).cacheSize == 64 << 20)
    #expect(try await ServerSettings(.init(itemCache: "0")).cacheSize == 0)
    #expect(try await ServerSettings(.init(itemCache: "7")).cacheSize == 7 << 20)
    for wrong in ["-1", "1.5", "64MiB", "", "9999999999999999"] {
      let error = await #expect(throws: SettingError.self) { try await ServerSettings(.init(itemCache: wrong)) }
      #expect(error?.name == "item-cache")
    }
  }

  @Test func maxItems_isANumber() async throws {
    #expect(try await ServerSettings(.init(maxItems: "7")).maximumItems == 7)
    for wrong in ["0", "-1", "many"] {
      await #expect(throws: SettingError.self) { try await ServerSettings(.init(maxItems: wrong)) }
    }
  }
}
