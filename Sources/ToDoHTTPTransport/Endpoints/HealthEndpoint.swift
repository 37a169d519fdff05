#if HTTP
import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoSupport

/// `/healthz`: 200 while the server serves and its store accepts writes, or else 503. For load balancers, so without
/// credentials.
struct HealthEndpoint: HTTPEndpoint {
  let path = "/healthz"
  let methods: Set<String> = ["GET", "HEAD"]
  let maximumBodySize = 0
  private let check: ServerMethod

  /// Creates the endpoint, or returns `nil` if the server has no method `Check` of `grpc.health.v1.Health`.
  init?(_ methods: [ServerMethod]) {
    let name = MethodName(service: "grpc.health.v1.Health", method: "Check")
    guard let check = methods.first(where: { $0.name == name }) else { return nil }
    self.check = check
  }

  func respond(to request: HTTPEndpointRequest) async -> HTTPEndpointResponse {
    let isServing = (try? await status(request.call)) == Self.serving
    return HTTPEndpointResponse(
      status: isServing ? 200 : 503, body: ByteBuffer(string: isServing ? "serving\n" : "not serving\n"))
  }

  /// `HealthCheckResponse` with the status SERVING.
  private static let serving = ByteBuffer(bytes: [0x08, 0x01])

  private func status(_ call: CallContext) async throws -> ByteBuffer? {
    guard case .unary(let body) = check.body else { return nil }
    // The empty request is about the whole server.
    let message = try await body(UnsafeRawBufferPointer(start: nil, count: 0), Arena(), call).value
    var bytes = ByteBuffer()
    message.write(to: &bytes, Arena())
    return bytes
  }
}
#endif
