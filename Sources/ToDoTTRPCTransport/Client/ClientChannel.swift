import Glibc
package import NIOCore
import NIOPosix
import ToDoRPC
package import ToDoTransport

/// Opens channels to servers.
package enum ClientChannel {
  /// Connects, and completes the TLS handshake if the endpoint uses TLS.
  ///
  /// - Parameter prepare: adds the handlers of the protocol to the channel, on its event loop, before it is connected.
  /// - Throws: `RPCError` with the code `unavailable` if the server cannot be reached, `unauthenticated` if it is not
  ///   trusted, or `failedPrecondition` if it runs as a user that the configuration does not allow, or if this build
  ///   cannot use the endpoint. `TLSFileError`. `CancellationError`.
  package static func connect(
    to endpoint: Endpoint, configuration: ClientConfiguration = ClientConfiguration(), on group: any EventLoopGroup,
    prepare: @escaping @Sendable (any Channel) throws -> Void
  ) async throws -> any Channel {
    let bootstrap = ClientBootstrap(group: group)
      .connectTimeout(TimeAmount(configuration.connectTimeout))
      .channelInitializer { channel in channel.eventLoop.makeCompletedFuture { try prepare(channel) } }
    do {
      switch endpoint {
      case .tcp(let host, let port):
        return
          try await bootstrap
          .channelOption(.tcpOption(.tcp_nodelay), value: 1)
          .channelOption(.socketOption(.so_keepalive), value: 1)
          .connect(host: host, port: port).get()
      case .tls(let host, let port):
        #if TLS
        return try await connect(toHost: host, port, configuration, on: group, prepare)
        #else
        throw RPCError.withoutTLS(endpoint)
        #endif
      case .unix(let path):
        let channel = try await bootstrap.connect(unixDomainSocketPath: path).get()
        try await checkUser(of: channel, at: endpoint, configuration.unixUsers)
        return channel
      }
    } catch let error where error is CancellationError || error is TLSFileError || error is RPCError {
      throw error
    } catch {
      throw RPCError.unavailable("\(endpoint) cannot be reached: \(error.brief)", isUnsent: true)
    }
  }

  /// Closes the channel unless the server at the other end runs as one of the users.
  ///
  /// The operating system reports the listening process's user, independently of the socket file's owner.
  private static func checkUser(
    of channel: any Channel, at endpoint: Endpoint, _ users: Set<UInt32>?
  ) async throws {
    guard let users else { return }
    let user = try? await Peer.ofAccepted(channel).get().unixUser
    if let user, users.contains(user) { return }
    try? await channel.close()
    throw RPCError.untrustedUser(user, at: endpoint)
  }
}

#if TLS
extension ClientChannel {
  /// Connects, and returns when the TLS handshake is complete.
  private static func connect(
    toHost host: String, _ port: Int, _ configuration: ClientConfiguration, on group: any EventLoopGroup,
    _ prepare: @escaping @Sendable (any Channel) throws -> Void
  ) async throws -> any Channel {
    let context = try configuration.tls.context()
    let loop = group.next()
    let handshake = loop.makePromise(of: Void.self)
    let bootstrap = ClientBootstrap(group: loop)
      .connectTimeout(TimeAmount(configuration.connectTimeout))
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try context.secure(channel, to: host, handshake, limit: configuration.connectTimeout)
          try prepare(channel)
        }
      }
    do {
      let channel = try await bootstrap.connect(host: host, port: port).get()
      try await handshake.futureResult.get()
      return channel
    } catch {
      handshake.fail(error)
      guard let error = error as? HandshakeError else { throw error }
      throw RPCError(error, at: .tls(host: host, port: port))
    }
  }
}
#endif

extension RPCError {
  /// Returns the error for a `tls://` endpoint in a build without TLS.
  fileprivate static func withoutTLS(_ endpoint: Endpoint) -> RPCError {
    var error = RPCError(.failedPrecondition, reason: "TLS_NOT_SUPPORTED", "\(endpoint): \(Endpoint.withoutTLS)")
    error.isUnsent = true
    return error
  }

  /// Returns the error for a Unix socket whose server runs as a user that may not receive the client's credentials.
  fileprivate static func untrustedUser(_ user: UInt32?, at endpoint: Endpoint) -> RPCError {
    let name = user.map { "the user \($0)" } ?? "an unknown user"
    var error = RPCError(
      .failedPrecondition, reason: "TOKEN_NOT_SENT",
      "the token is not sent to \(endpoint), because the server there runs as \(name); "
        + "set TODO_SERVER_USER to this user if you trust it")
    error.isUnsent = true
    return error
  }
}

extension Error {
  /// A short description of a connection error. NIO's own description lists every attempt and its system calls.
  fileprivate var brief: String {
    switch self {
    case let error as NIOConnectionError:
      if error.dnsAError != nil && error.dnsAAAAError != nil { return "unknown host \(error.host)" }
      return error.connectionErrors.first?.error.brief ?? "\(error)"
    case let error as IOError: return String(cString: strerror(error.errnoCode))
    case is ChannelError: return "the connection timed out"
    default: return "\(self)"
    }
  }
}
