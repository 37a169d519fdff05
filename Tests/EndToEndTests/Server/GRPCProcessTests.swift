import Testing

/// The program when it is told to serve gRPC.
@Suite struct GRPCProcessTests {
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
