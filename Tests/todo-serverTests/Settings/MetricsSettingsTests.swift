#if HTTP
import Configuration
import Testing
import ToDoServer
import ToDoTestSupport
import ToDoTransport

@testable import todo_server

/// Tests of the setting for metrics.
@Suite(.timeLimited) struct MetricsSettingsTests {
  private func settings(_ metricsListen: String?, allowInsecure: Bool = false) async throws -> ServerSettings {
    try await ServerSettings(ServerSettings.Options(metricsListen: metricsListen, allowInsecure: allowInsecure))
  }

  @Test func endpoint_isOnThisMachine_unlessItNamesAHost() async throws {
    #expect(try await settings(nil).metricsEndpoint == nil)
    #expect(try await settings("9464").metricsEndpoint == .tcp(host: "127.0.0.1", port: 9464))
    #expect(try await settings("[::1]:0").metricsEndpoint == .tcp(host: "::1", port: 0))
    let environment = EnvironmentVariablesProvider(environmentVariables: ["TODO_SERVER_METRICS_LISTEN": "a.b:1"])
    let read = try await ServerSettings(.init(), environment: environment)
    #expect(read.metricsEndpoint == .tcp(host: "a.b", port: 1))
  }

  @Test(arguments: ["", "x", "localhost", "70000", "http://localhost:1", "unix:///s", "tls://localhost"])
  func endpoint_whenInvalid_isRejected(_ text: String) async {
    let error = await #expect(throws: SettingError.self) { try await settings(text) }
    #expect(error?.name == "metrics-listen" && error?.value == text)
  }

  @Test func endpoint_ofTLS_needsCertificate() async {
    let error = await #expect(throws: SettingError.self) { try await settings("tls://localhost:1") }
    #expect(error?.reason.contains("--tls-certificate") == true || error?.name == "metrics-listen")
  }

  @Test func endpoint_onRemoteAddress_isRefused_andChangesNoAccess() async throws {
    let exposed = try await settings("0.0.0.0:9464")
    let error = #expect(throws: SettingError.self) { try AccessConfiguration(exposed, hasUsers: true) }
    #expect(error?.name == "metrics-listen")
    let insecure = try await settings("0.0.0.0:9464", allowInsecure: true)
    let access = try AccessConfiguration(insecure, hasUsers: false)
    #expect(access.policy.anonymousList == .local)
    #expect(access.warnings.count == 1 && access.warnings[0].contains("are not encrypted"))
  }
}
#endif
