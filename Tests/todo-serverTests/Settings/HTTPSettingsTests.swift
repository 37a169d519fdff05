import Configuration
import Testing
import ToDoTestSupport
import ToDoTransport

@testable import todo_server

/// Tests of the settings for HTTP.
@Suite(.timeLimited) struct HTTPSettingsTests {
  private func settings(_ httpListen: [String], origins: [String] = []) async throws -> ServerSettings {
    var options = ServerSettings.Options(httpListen: httpListen, httpOrigin: origins)
    #if TLS
    (options.tlsCertificate, options.tlsKey) = ("c", "k")
    #endif
    return try await ServerSettings(options)
  }

  @Test func endpoints_withHostAndPort_orPath_areAccepted() async throws {
    #expect(try await settings([]).httpEndpoints == [])
    let tcp = Endpoint.tcp(host: "localhost", port: 8080)
    #expect(try await settings(["localhost:8080", "tcp://localhost:8080"]).httpEndpoints == [tcp, tcp])
    #expect(try await settings(["unix:///run/todo"]).httpEndpoints == [.unix(path: "/run/todo")])
    #if TLS
    #expect(try await settings(["tls://a.b:1"]).httpEndpoints == [.tls(host: "a.b", port: 1)])
    #endif
    let environment = EnvironmentVariablesProvider(
      environmentVariables: ["TODO_SERVER_HTTP_LISTEN": "[::1]:0"], arraySeparator: ",")
    #expect(try await ServerSettings(.init(), environment: environment).httpEndpoints == [.tcp(host: "::1", port: 0)])
  }

  @Test(arguments: ["", "localhost", "8080", "tls://localhost", "unix://s", "http://localhost:1", "localhost:x"])
  func endpoint_whenInvalid_isRejected(_ text: String) async {
    let error = await #expect(throws: SettingError.self) { try await settings([text]) }
    #expect(error?.name == "http-listen")
  }

  @Test func endpoint_onRemoteAddressWithoutTLS_isRejected() async throws {
    let settings = try await settings(["0.0.0.0:1"])
    let error = #expect(throws: SettingError.self) { try AccessConfiguration(settings, hasUsers: true) }
    #expect(error?.name == "http-listen")
  }

  @Test func origins_areWebOrigins() async throws {
    let origins = ["https://a.example", "http://localhost:8080", "https://[::1]"]
    #expect(try await settings(["localhost:1"], origins: origins).httpOrigins == Set(origins))
  }

  @Test(arguments: ["*", "null", "a.example", "https://", "https://a/", "https://a?b", "https://u@a", "ftp://a", ""])
  func origin_whenInvalid_isRejected(_ text: String) async {
    let error = await #expect(throws: SettingError.self) { try await settings(["localhost:1"], origins: [text]) }
    #expect(error?.name == "http-origin")
  }

  @Test func origin_isThatOfTheFirstEndpointWithAnAddress_unlessItIsGiven() async throws {
    #expect(try await settings([]).httpOrigin == nil)
    #expect(try await settings(["unix:///run/todo", "0.0.0.0:80", "[::]:80"]).httpOrigin == "")
    #expect(try await settings(["0.0.0.0:80", "localhost:80"]).httpOrigin == "http://localhost")
    #expect(try await settings(["[::1]:8080"]).httpOrigin == "http://[::1]:8080")
    let given = ServerSettings.Options(httpListen: ["localhost:80"], httpURL: "https://todo.example")
    #expect(try await ServerSettings(given).httpOrigin == "https://todo.example")
    #if TLS
    #expect(try await settings(["tls://a.b:443"]).httpOrigin == "https://a.b")
    #endif
  }

  @Test func url_whenInvalid_orWithoutEndpoint_isRejected() async {
    for options in [
      ServerSettings.Options(httpListen: ["localhost:80"], httpURL: "https://a/b"),
      ServerSettings.Options(httpURL: "https://a"),
    ] {
      let error = await #expect(throws: SettingError.self) { try await ServerSettings(options) }
      #expect(error?.name == "http-url")
    }
  }

  @Test func page_isServed_unlessItIsTurnedOff() async throws {
    let off = EnvironmentVariablesProvider(environmentVariables: ["TODO_SERVER_HTTP_PAGE": "false"])
    #expect(try await ServerSettings(.init()).servesPage)
    #expect(try await !ServerSettings(.init(httpPage: false)).servesPage)
    #expect(try await !ServerSettings(.init(), environment: off).servesPage)
    #expect(try await ServerSettings(.init(httpPage: true), environment: off).servesPage)
  }

  @Test func origin_withoutEndpoint_isRejected() async {
    let error = await #expect(throws: SettingError.self) { try await settings([], origins: ["https://a"]) }
    #expect(error?.name == "http-origin")
  }
}
