import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import ToDoModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Fetches with AsyncHTTPClient, which is made with the first request.
final class AsyncHTTPFetcher: HTTPFetcher {
  struct Limits: Sendable {
    var connectTimeout: Duration
    /// Longer bodies are refused, in bytes.
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

  /// - Parameter userAgent: whom the server sees asking.
  init(userAgent: String, limits: Limits) {
    self.userAgent = userAgent
    self.limits = limits
  }

  deinit {
    // A client that is released before it was shut down ends the process. This one keeps itself until its connections
    // are closed, so that a fetcher can be dropped at any time, also while requests are under way.
    if case .running(let client) = state.withLock(\.self) { _ = client.shutdown() }
  }

  func get(_ url: String) async throws -> HTTPResponse {
    guard let client else { throw GeocoderError.unavailable(detail: "it has been shut down") }
    var request = HTTPClientRequest(url: url)
    request.headers = ["User-Agent": userAgent, "Accept": "application/json"]
    do {
      // Whoever fetches has a deadline of their own.
      let response = try await client.execute(request, deadline: .distantFuture)
      // The body of another answer is of no interest.
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
    // It fails only if it was shut down before.
    try? await client?.shutdown()
  }

  /// `nil` after `shutDown`.
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
    // Who asks is told at once that there is no connection.
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2
    return configuration
  }
}

extension GeocoderError {
  /// What an error of AsyncHTTPClient means.
  init(mapping error: any Error) {
    switch error {
    case let error as HTTPClientError where Self.timeouts.contains(error): self = .timedOut
    case ChannelError.connectTimeout: self = .timedOut
    case is NIOTooManyBytesError: self = .malformedAnswer(detail: "it is too long")
    case HTTPParserError.invalidEOFState: self = Self.closedEarly
    case let error as HTTPClientError where error == .remoteConnectionClosed: self = Self.closedEarly
    case is HTTPParserError: self = .malformedAnswer(detail: "it is not HTTP")
    case let error as IOError: self = .unavailable(detail: error.reason)
    case let error as NIOConnectionError: self = .unavailable(detail: error.reason)
    case let error as HTTPClientError: self = .unavailable(detail: error.shortDescription)
    default: self = .unavailable(detail: "\(error)")
    }
  }

  private static let closedEarly = GeocoderError.unavailable(
    detail: "the connection was closed before the end of the answer")

  private static let timeouts: [HTTPClientError] = [
    .connectTimeout, .readTimeout, .writeTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout,
    .getConnectionFromPoolTimeout, .deadlineExceeded,
  ]
}

extension NIOConnectionError {
  fileprivate var reason: String {
    guard let error = connectionErrors.first?.error else { return "there is no host \(host)" }
    return (error as? IOError)?.reason ?? "\(error)"
  }
}

extension IOError {
  /// What the operating system says, as in "Connection refused".
  fileprivate var reason: String { String(cString: strerror(errnoCode)) }
}
