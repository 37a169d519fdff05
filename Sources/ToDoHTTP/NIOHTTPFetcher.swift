#if Nominatim
import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL
import Synchronization
import ToDoRules

/// An HTTP fetcher with one connection for each request.
///
/// Nominatim servers permit about one request a second, so connections are not worth keeping. The fetcher holds nothing
/// when no request is in flight, and can be released at any time.
package final class NIOHTTPFetcher: HTTPFetcher {
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
    var requests: [Int: EventLoopPromise<HTTPResponse>] = [:]
    /// Created by the first request over TLS, because it reads the certificates that the system trusts.
    var tls: NIOSSLContext?
  }

  /// What a response may have before its body, in bytes; the HTTP decoder accepts headers of 80 KiB.
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

  package func get(_ url: String) async throws -> HTTPResponse {
    try Task.checkCancellation()
    guard let target = HTTPTarget(url) else { throw GeocoderError.unavailable(detail: "the URL is invalid: \(url)") }
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    let promise = loop.makePromise(of: HTTPResponse.self)
    guard let id = register(promise) else {
      let error = GeocoderError.unavailable(detail: "the geocoder has been shut down")
      promise.fail(error)
      throw error
    }
    defer { state.withLock { _ = $0.requests.removeValue(forKey: id) } }
    return try await withTaskCancellationHandler {
      do {
        send(to: target, try target.isSecure ? tls() : nil, promise)
        return try await promise.futureResult.get()
      } catch {
        promise.fail(error)
        try Task.checkCancellation()
        throw GeocoderError(mapping: error)
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
    for request in requests { request.fail(GeocoderError.unavailable(detail: "the geocoder has been shut down")) }
  }

  /// Returns the number of a new request, or `nil` after `shutDown()`.
  private func register(_ promise: EventLoopPromise<HTTPResponse>) -> Int? {
    state.withLock { state in
      if state.isShutDown { return nil }
      state.lastRequest += 1
      state.requests[state.lastRequest] = promise
      return state.lastRequest
    }
  }

  /// Connects and sends a request. The connection is closed when the promise is completed by anyone.
  private func send(to target: HTTPTarget, _ tls: NIOSSLContext?, _ promise: EventLoopPromise<HTTPResponse>) {
    let head = target.request(userAgent: userAgent)
    let bodySize = limits.bodySize
    let connection = ClientBootstrap(group: promise.futureResult.eventLoop)
      .connectTimeout(TimeAmount(limits.connectTimeout))
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let pipeline = channel.pipeline.syncOperations
          if let tls { try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: target.serverName)) }
          try pipeline.addHandler(ResponseSizeLimit(2 * bodySize + Self.headSize, promise))
          try pipeline.addHTTPClientHandlers()
          try pipeline.addHandler(HTTPExchange(head, bodySize: bodySize, promise))
        }
      }
      .connect(host: target.host, port: target.port)
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
