import Glibc
import Logging
import NIOPosix
import ToDoHTTPTransport
import ToDoRPC
import ToDoTransport

/// Serves the service of Connect's conformance tests over the product's HTTP port, as their runner asks for it:
///
///     connectconformance --mode server --conf config.yaml -- ConformanceServer
///
/// The runner closes standard input right after its request, and ends the server with a signal.
@main
struct ConformanceServer {
  static func main() async {
    do { try await serve() } catch {
      StandardStreams.write(error: "ConformanceServer: \(error)")
      exit(1)
    }
  }

  private static func serve() async throws {
    let request = try ServerRequest(decoding: try StandardStreams.read())
    var logger = Logger(label: "ConformanceServer")
    logger.logLevel = .error
    let listener = HTTPListener(
      try configuration(request), on: MultiThreadedEventLoopGroup.singleton, logger: logger
    ) { endpoint in
      let certificate = request.tls?.certificate ?? []
      StandardStreams.write(ServerRequest.response(port: endpoint.port, certificate: certificate))
    }
    let limiter = ConnectionLimiter(limits(request))
    try await listener.serve(MethodTable(ConformanceService.methods), limiter: limiter) {}
  }

  private static func configuration(_ request: ServerRequest) throws -> HTTPListener.Configuration {
    var configuration = HTTPListener.Configuration(endpoint: .tcp(host: ServerRequest.host, port: 0))
    if let tls = request.tls {
      configuration.endpoint = .tls(host: ServerRequest.host, port: 0)
      configuration.tls = try tls.serverTLS()
    }
    configuration.limits = limits(request)
    configuration.servesReflection = false
    configuration.messages = ConformanceService.messages
    return configuration
  }

  /// The product's limits, except that one address may have as many connections and strikes as the runner needs.
  private static func limits(_ request: ServerRequest) -> ServerLimits {
    var limits = ServerLimits()
    limits.maximumConnectionsPerAddress = limits.maximumConnections
    limits.maximumStrikes = .max
    if let limit = request.messageLimit { limits.maximumFrameLength = min(limit, limits.maximumFrameLength) }
    return limits
  }
}

extension Endpoint {
  /// The port; 0 for a Unix socket.
  fileprivate var port: Int {
    switch self {
    case .tcp(_, let port), .tls(_, let port): port
    case .unix: 0
    }
  }
}

extension ServerRequest.Credentials {
  /// Returns the configuration of TLS, which is read from files.
  fileprivate func serverTLS() throws -> ServerTLS {
    // mkdtemp replaces the last six characters, and requires these.
    var template = Array("/tmp/todo-conformance-XXXXXX".utf8CString)
    guard let path = template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) else {
      throw ServerRequest.Failure("no folder can be made in /tmp")
    }
    let folder = String(cString: path)
    let files = ServerTLS.Files(certificate: folder + "/certificate.pem", key: folder + "/key.pem")
    defer {
      unlink(files.certificate)
      unlink(files.key)
      rmdir(folder)
    }
    try write(certificate, to: files.certificate)
    try write(key, to: files.key)
    return try ServerTLS(files)
  }
}

/// Writes a file that only its owner can read.
private func write(_ bytes: [UInt8], to path: String) throws {
  let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  defer { close(file) }
  guard file >= 0, Glibc.write(file, bytes, bytes.count) == bytes.count else {
    throw ServerRequest.Failure("\(path) can't be written")
  }
}
