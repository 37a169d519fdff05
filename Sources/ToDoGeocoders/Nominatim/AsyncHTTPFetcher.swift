import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import ToDoModel
import ToDoRules

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An HTTP fetcher that uses AsyncHTTPClient. The client is created by the first request.
final class AsyncHTTPFetcher: HTTPFetcher {
  struct Limits: Sendable {
    /// The timeout of connecting.
    var connectTimeout: Duration
    /// The maximum size of a response body, in bytes.
    var bodySize: Int
  }

  private enum State {
    case idle
    case running(HTTPClient)
    case shutDown
  }

  private let state = Mutex(State.idle)
  private let userAgent: String
  private let limits: Limits

  /// Creates a fetcher.
  ///
  /// - Parameter userAgent: the value of the header `User-Agent`.
  init(userAgent: String, limits: Limits) {
    self.userAgent = userAgent
    self.limits = limits
  }

  deinit {
    // Releasing an HTTPClient that was not shut down traps. `shutdown()` retains the client until its connections are
    // closed, so a fetcher can be released at any time, even while requests are in flight.
    if case .running(let client) = state.withLock(\.self) { _ = client.shutdown() }
  }

  func get(_ url: String) async throws -> HTTPResponse {
    guard let client else { throw GeocoderError.unavailable(detail: "the geocoder has been shut down") }
    var request = HTTPClientRequest(url: url)
    request.headers = ["User-Agent": userAgent, "Accept": "application/json"]
    do {
      // The callers apply their own deadline.
      let response = try await client.execute(request, deadline: .distantFuture)
      // The bodies of other responses are not used.
      let body = response.status == .ok ? try await response.body.collect(upTo: limits.bodySize) : ByteBuffer()
      return HTTPResponse(
        status: Int(response.status.code), location: response.headers.first(name: "Location"),
        retryAfter: response.headers.first(name: "Retry-After"), body: Array(body.readableBytesView))
    } catch {
      try Task.checkCancellation()
      throw GeocoderError(mapping: error)
    }
  }

  func shutDown() async {
    let client = state.withLock { state -> HTTPClient? in
      defer { state = .shutDown }
      guard case .running(let client) = state else { return nil }
      return client
    }
    // Throws only if the client was already shut down.
    try? await client?.shutdown()
  }

  /// The client, created on first use, or `nil` after `shutDown()`.
  private var client: HTTPClient? {
    state.withLock { state in
      switch state {
      case .running(let client): return client
      case .shutDown: return nil
      case .idle:
        let client = HTTPClient(configuration: configuration)
        state = .running(client)
        return client
      }
    }
  }

  private var configuration: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow, timeout: .init(connect: TimeAmount(limits.connectTimeout)))
    // A failed connection attempt is reported to the caller immediately.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2
    return configuration
  }
}

extension GeocoderError {
  /// Maps an error of AsyncHTTPClient.
  init(mapping error: any Error) {
    switch error {
    case let error as HTTPClientError where Self.timeouts.contains(error): self = .timedOut
    case ChannelError.connectTimeout: self = .timedOut
    case is NIOTooManyBytesError: self = .malformedResponse(detail: "the response is too long")
    case HTTPParserError.invalidEOFState: self = Self.closedEarly
    case let error as HTTPClientError where error == .remoteConnectionClosed: self = Self.closedEarly
    case is HTTPParserError: self = .malformedResponse(detail: "the response is not HTTP")
    case let error as IOError: self = .unavailable(detail: error.reason)
    case let error as NIOConnectionError: self = .unavailable(detail: error.reason)
    case let error as HTTPClientError: self = .unavailable(detail: error.shortDescription)
    default: self = .unavailable(detail: "\(error)")
    }
  }

  private static let closedEarly = GeocoderError.unavailable(
    detail: "the server closed the connection before the end of the response")

  private static let timeouts: [HTTPClientError] = [
    .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
    .getConnectionFromPoolTimeout, .deadlineExceeded,
  ]
}

extension NIOConnectionError {
  fileprivate var reason: String {
    guard let error = connectionErrors.first?.error else { return "the host name \(host) cannot be resolved" }
    return (error as? IOError)?.reason ?? "\(error)"
  }
}

extension IOError {
  /// The message of the operating system, for example "Connection refused".
  fileprivate var reason: String { String(cString: strerror(errnoCode)) }
}
