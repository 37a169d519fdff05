#if Nominatim
import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization

/// An HTTP client with one connection for each request.
///
/// Its callers send a request now and then, so connections are not worth keeping. The client holds nothing
/// when no request is in flight, and can be released at any time.
package final class NIOHTTPFetcher: HTTPFetcher, HTTPPoster {
  /// The limits of a request.
  package struct Limits: Sendable {
    /// The timeout of connecting.
    package var connectTimeout: Duration
    /// The maximum size of a response body, in bytes.
    package var bodySize: Int

    /// Creates limits.
    package init(connectTimeout: Duration, bodySize: Int) {
      (self.connectTimeout, self.bodySize) = (connectTimeout, bodySize)
    }
  }

  private struct State {
    var isShutDown = false
    var lastRequest = 0
    var requests: [Int: EventLoopPromise<HTTPClientResponse>] = [:]
    /// Created by the first request over TLS, because it reads the certificates that the system trusts.
    var tls: NIOSSLContext?
  }

  /// The maximum size of a response's head, in bytes; the HTTP decoder accepts headers of 80 KiB.
  private static let headSize = 131_072

  private let state = Mutex(State())
  private let userAgent: String
  private let limits: Limits
  private let trustRoots: NIOSSLTrustRoots

  /// Creates a fetcher.
  ///
  /// - Parameters:
  ///   - userAgent: the value of the header `User-Agent`.
  ///   - trustRoots: the authorities to which a server's certificate must chain.
  package init(userAgent: String, limits: Limits, trustRoots: NIOSSLTrustRoots = .default) {
    self.userAgent = userAgent
    self.limits = limits
    self.trustRoots = trustRoots
  }

  package func get(_ url: String) async throws -> HTTPClientResponse {
    guard let target = HTTPTarget(url) else { throw HTTPError.invalidURL }
    return try await send(Message(target: target, head: target.request(userAgent: userAgent)))
  }

  package func post(_ request: HTTPClientRequest, to destinations: HTTPDestinations) async throws -> HTTPClientResponse
  {
    guard let target = HTTPTarget(request.url) else { throw HTTPError.invalidURL }
    guard destinations.permitsPort(target.port) else { throw HTTPError.refusedDestination }
    let head = target.head(of: request, userAgent: userAgent)
    return try await send(
      Message(target: target, head: head, body: request.body, permitsAddress: destinations.permitsAddress))
  }

  /// A request and its destination.
  private struct Message: Sendable {
    let target: HTTPTarget
    let head: HTTPRequestHead
    var body: [UInt8]?
    /// Whether an address is permitted; `nil` if all are.
    var permitsAddress: (@Sendable (SocketAddress) -> Bool)?
  }

  private func send(_ message: Message) async throws -> HTTPClientResponse {
    try Task.checkCancellation()
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let promise = loop.makePromise(of: HTTPClientResponse.self)
    guard let id = register(promise) else {
      promise.fail(HTTPError.shutDown)
      throw HTTPError.shutDown
    }
    defer { state.withLock { _ = $0.requests.removeValue(forKey: id) } }
    return try await withTaskCancellationHandler {
      do {
        send(message, try message.target.isSecure ? tls() : nil, promise)
        return try await promise.futureResult.get()
      } catch {
        promise.fail(error)
        try Task.checkCancellation()
        throw HTTPError(mapping: error)
      }
    } onCancel: {
      promise.fail(CancellationError())
    }
  }

  package func shutDown() async {
    let requests = state.withLock { state in
      state.isShutDown = true
      return state.requests.values
    }
    for request in requests { request.fail(HTTPError.shutDown) }
  }

  /// Returns the number of a new request, or `nil` after `shutDown()`.
  private func register(_ promise: EventLoopPromise<HTTPClientResponse>) -> Int? {
    state.withLock { state in
      if state.isShutDown { return nil }
      state.lastRequest += 1
      state.requests[state.lastRequest] = promise
      return state.lastRequest
    }
  }

  /// Connects and sends a request. The connection is closed when the promise is completed by anyone.
  private func send(_ message: Message, _ tls: NIOSSLContext?, _ promise: EventLoopPromise<HTTPClientResponse>) {
    let (loop, bodySize) = (promise.futureResult.eventLoop, limits.bodySize)
    let connection = ClientBootstrap(group: loop)
      .resolver(message.permitsAddress.map { CheckedResolver(on: loop, $0) })
      .connectTimeout(TimeAmount(limits.connectTimeout))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls {
            try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: message.target.serverName))
          }
          try pipeline.addHandler(ResponseSizeLimit(2 * bodySize + Self.headSize, promise))
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(HTTPExchange(message.head, body: message.body, bodySize: bodySize, promise))
        }
      }
      .connect(host: message.target.host, port: message.target.port)
    connection.whenFailure { promise.fail($0) }
    connection.whenSuccess { channel in
      promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
    }
  }

  private func tls() throws -> NIOSSLContext {
    try state.withLock { state in
      if let tls = state.tls { return tls }
      var configuration = TLSConfiguration.makeClientConfiguration()
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      configuration.certificateVerification = .fullVerification
      configuration.trustRoots = trustRoots
      let tls = try NIOSSLContext(configuration: configuration)
      state.tls = tls
      return tls
    }
  }
}
#endif
