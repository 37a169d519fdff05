import Configuration
import Testing
import ToDoTestSupport
import ToDoTransport

@testable import todo_server

/// Tests of the settings for gRPC.
@Suite(.timeLimited) struct GRPCSettingsTests {
  private func endpoints(_ grpcListen: String...) async throws -> [Endpoint] {
    var options = ServerSettings.Options(grpcListen: grpcListen)
    #if TLS
    (options.tlsCertificate, options.tlsKey) = ("c", "k")
    #endif
    return try await ServerSettings(options).grpcEndpoints
  }

  @Test func endpoints_withHostAndPort_areAccepted() async throws {
    #expect(try await endpoints() == [])
    let tcp = Endpoint.tcp(host: "localhost", port: 50051)
    #expect(try await endpoints("localhost:50051", "tcp://localhost:50051") == [tcp, tcp])
    #expect(try await endpoints("[::1]:0") == [.tcp(host: "::1", port: 0)])
    #if TLS
    #expect(try await endpoints("tls://a.b:1") == [.tls(host: "a.b", port: 1)])
    #endif
  }

  @Test(arguments: ["", "localhost", "50051", "tls://localhost", "unix:///s", "http://localhost:1", "localhost:x"])
  func endpoint_whenInvalid_isRejected(_ text: String) async {
    let error = await #expect(throws: SettingError.self) { try await endpoints(text) }
    #expect(error?.name == "grpc-listen")
  }

  @Test func reflection_unlessDisabled_isServed() async throws {
    let off = EnvironmentVariablesProvider(environmentVariables: ["TODO_SERVER_GRPC_REFLECTION": "false"])
    #expect(try await ServerSettings(.init()).servesGRPCReflection)
    #expect(try await !ServerSettings(.init(grpcReflection: false)).servesGRPCReflection)
    #expect(try await !ServerSettings(.init(), environment: off).servesGRPCReflection)
    #expect(try await ServerSettings(.init(grpcReflection: true), environment: off).servesGRPCReflection)
  }

  @Test func endpoint_withTLSAndWithoutCertificate_isRejected() async {
    await #expect(throws: SettingError.self) { try await ServerSettings(.init(grpcListen: ["tls://localhost:1"])) }
  }

  @Test func endpoint_onRemoteAddressWithoutTLS_isRejected() async throws {
    let settings = try await ServerSettings(.init(grpcListen: ["0.0.0.0:1"]))
    let error = #expect(throws: SettingError.self) { try AccessConfiguration(settings, hasUsers: true) }
    #expect(error?.name == "grpc-listen")
  }
}
