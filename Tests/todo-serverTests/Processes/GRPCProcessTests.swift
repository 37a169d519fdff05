import NIOCore
import Testing
import ToDoProtocol
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// Tests of the program with gRPC endpoints.
@Suite(.timeLimited, .blocking) struct GRPCProcessTests {
  #if GRPC
  @Test func serve_withGRPCEndpoint_servesCalls() async throws {
    let server = try ServerProcess(
      "serve", "--listen", "tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0",
      "--store", "memory:", "--geocoder", "none", environment: ["TODO_SERVER_GRPC_LISTEN": "127.0.0.1:0"])
    #expect(server.announced.contains { $0.hasPrefix("listening on grpc+tcp://127.0.0.1:") })
    #expect(server.terminate() == 0)
  }

  @Test func connectionLimit_appliesToBothProtocols() async throws {
    let server = try ServerProcess(
      "serve", "--listen", "tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--geocoder",
      "none", "--limit", "first-frame-time=1h", "--limit", "frame-size=8KiB", "--grpc-listen", "127.0.0.1:0",
      environment: ["TODO_SERVER_LIMITS": "connections=2,strikes=2,frame-size=16KiB"])
    let grpc = try #require(server.announced.lazy.compactMap(Endpoint.init(announcedForGRPC:)).first)
    let check = { (id: UInt32) in RawFrame.call(id, "grpc.health.v1.Health", "Check", ProtobufBytes()) }
    try await RawClient.with(server.endpoints[0]) { first async throws in
      #expect(try await first.response(to: check(1)).error == nil)
      try await GRPCTestClient.with(grpc) { client async throws in
        _ = try await client.call(HealthMethods.check.name, [])
        for endpoint in [grpc, server.endpoints[0]] {
          try await RawClient.with(endpoint) { late async throws in #expect(try await late.framesUntilClosed() == [])
          }
        }
      }
      let long = RawFrame(1, id: 3, Array(repeating: 0, count: (8 << 10) + 1))
      #expect(try await first.response(to: long).error?.metadata == ["max_bytes": "8192"])
      try await first.write(RawFrame.call(5, "no.Service", "Fly", ProtobufBytes()))
      #expect(try await first.framesUntilClosed().map { try $0.error?.reason } == ["METHOD_NOT_IMPLEMENTED"])
    }
    #expect(server.terminate() == 0)
  }

  @Test(arguments: [(["--no-grpc-reflection"], StatusCode.unimplemented), ([], .invalidArgument)])
  func reflection_whenDisabled_isUnimplemented(_ arguments: [String], _ code: StatusCode) async throws {
    let server = try ServerProcess(
      [
        "serve", "--listen", "tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--geocoder",
        "none", "--grpc-listen", "127.0.0.1:0",
      ] + arguments)
    let grpc = try #require(server.announced.lazy.compactMap(Endpoint.init(announcedForGRPC:)).first)
    try await HTTP2TestClient.with(grpc) { client async throws in
      let stream = try await client.open()
      try await stream.send(
        headers: HTTP2TestStream.headers("ServerReflectionInfo", of: "grpc.reflection.v1.ServerReflection"))
      // The server may have ended the stream already.
      try? await stream.send(HTTP2TestStream.prefix(1) + [0xff], endStream: true)
      #expect(try await stream.answer.get().status == code)
    }
    #expect(server.terminate() == 0)
  }

  @Test func serve_whenGRPCEndpointIsInUse_namesIt() throws {
    let failure = #expect(throws: ServerProcess.Failure.self) {
      try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--grpc-listen", "192.0.2.1:1",
        "--allow-insecure")
    }
    #expect(failure?.error.contains("tcp://192.0.2.1:1: cannot listen") == true)
  }
  #else
  @Test func serve_whenBuiltWithoutGRPC_rejectsEndpoint() throws {
    let failure = #expect(throws: ServerProcess.Failure.self) {
      try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--grpc-listen", "127.0.0.1:0")
    }
    #expect(failure?.error.contains("this program was built without gRPC") == true)
  }
  #endif
}

#if GRPC
extension Endpoint {
  fileprivate init?(announcedForGRPC line: String) {
    let prefix = "listening on grpc+"
    guard line.hasPrefix(prefix), let endpoint = Endpoint(String(line.dropFirst(prefix.count))) else { return nil }
    self = endpoint
  }
}
#endif
