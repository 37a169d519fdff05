import TTRPCTransport
import Testing

@testable import todo_server

/// Where the server is told to serve gRPC.
@Suite struct GRPCSettingsTests {
  private func endpoints(_ grpcListen: String...) async throws -> [Endpoint] {
    try await ServerSettings(.init(grpcListen: grpcListen, tlsCertificate: "c", tlsKey: "k")).grpcEndpoints
  }

  @Test func endpoints_areHostsAndPorts_withTLSOrWithout() async throws {
    #expect(try await endpoints() == [])
    let tcp = Endpoint.tcp(host: "localhost", port: 50051)
    #expect(try await endpoints("localhost:50051", "tcp://localhost:50051") == [tcp, tcp])
    #expect(try await endpoints("[::1]:0", "tls://a.b:1") == [.tcp(host: "::1", port: 0), .tls(host: "a.b", port: 1)])
  }

  @Test(arguments: ["", "localhost", "50051", "tls://localhost", "unix:///s", "http://localhost:1", "localhost:x"])
  func anEndpointThatIsNone_isRefused(_ text: String) async {
    let error = await #expect(throws: SettingError.self) { try await endpoints(text) }
    #expect(error?.name == "grpc-listen")
  }

  @Test func anEndpointWithTLS_needsACertificate() async {
    await #expect(throws: SettingError.self) { try await ServerSettings(.init(grpcListen: ["tls://localhost:1"])) }
  }

  @Test func anEndpointForOtherMachines_withoutTLS_isRefused() async throws {
    let settings = try await ServerSettings(.init(grpcListen: ["0.0.0.0:1"]))
    let error = #expect(throws: SettingError.self) { try AdmissionPlan(settings, hasUsers: true) }
    #expect(error?.name == "grpc-listen")
  }

  #if GRPC
    @Test func theProgram_servesThere() async throws {
      let server = try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0",
        "--store", "memory:", "--geocoder", "none", environment: ["TODO_SERVER_GRPC_LISTEN": "127.0.0.1:0"])
      #expect(server.announced.contains { $0.hasPrefix("listening on grpc+tcp://127.0.0.1:") })
      #expect(server.terminate() == 0)
    }

    @Test func theProgram_whenItCannotListenThere_namesTheEndpoint() throws {
      let failure = #expect(throws: ServerProcess.Failure.self) {
        try ServerProcess(
          "serve", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--grpc-listen", "192.0.2.1:1",
          "--allow-insecure")
      }
      #expect(failure?.error.contains("tcp://192.0.2.1:1: cannot listen") == true)
    }
  #else
    @Test func theProgram_whenItWasBuiltWithout_saysSo() throws {
      let failure = #expect(throws: ServerProcess.Failure.self) {
        try ServerProcess(
          "serve", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--grpc-listen", "127.0.0.1:0")
      }
      #expect(failure?.error.contains("this program was built without gRPC") == true)
    }
  #endif
}
