#if GRPC
  import NIOCore
  import Synchronization
  import TTRPCTransport

  /// The open connections of a listener, and who is at their other ends.
  final class ConnectionSet: Sendable {
    /// What tells a connection from all others that are open.
    struct ID: Hashable, Sendable {
      fileprivate let number: UInt
    }

    private struct Connection {
      let channel: any Channel
      let account: ConnectionAccount
      var shared: CallConnection
      var streamingCalls = 0
      var strikes = 0
    }

    private let connections = Mutex<[ID: Connection]>([:])
    private let strikeLimit: Int

    /// - Parameter strikeLimit: the number of calls with invalid credentials after which a connection is closed.
    init(strikeLimit: Int = ServerConfiguration().maximumStrikes) {
      self.strikeLimit = strikeLimit
    }

    /// - Parameters:
    ///   - account: the connection's share of the limits of all connections.
    ///   - time: how long the peer may take to send anything.
    func insert(_ channel: any Channel, _ account: ConnectionAccount, firstBytesWithin time: Duration) throws {
      let id = ID(channel)
      let shared = shared(by: id, Peer(address: NetworkAddress(channel.remoteAddress)), account)
      connections.withLock { $0[id] = Connection(channel: channel, account: account, shared: shared) }
      channel.closeFuture.whenComplete { _ in
        self.connections.withLock { _ = $0.removeValue(forKey: id) }
      }
      try channel.pipeline.syncOperations.addHandler(PeerReader(id, self, firstBytesWithin: time))
    }

    /// What the calls of a connection share.
    subscript(id: ID) -> CallConnection? {
      connections.withLock { $0[id]?.shared }
    }

    /// Takes a place for a call of a method that streams; a connection that is closed by now has room.
    ///
    /// - Returns: whether there was one.
    func beginStreamingCall(of id: ID, limit: Int) -> Bool {
      connections.withLock { connections in
        guard let count = connections[id]?.streamingCalls else { return true }
        guard count < limit else { return false }
        connections[id]?.streamingCalls = count + 1
        return true
      }
    }

    func endStreamingCall(of id: ID) {
      connections.withLock { $0[id]?.streamingCalls -= 1 }
    }

    fileprivate func set(_ peer: Peer, of id: ID) {
      connections.withLock { connections in
        guard let account = connections[id]?.account else { return }
        connections[id]?.shared = shared(by: id, peer, account)
      }
    }

    private func shared(by id: ID, _ peer: Peer, _ account: ConnectionAccount) -> CallConnection {
      CallConnection(peer: peer, account: account, rejectedCredentials: { [weak self] in self?.strike(id) })
    }

    /// Counts a call with invalid credentials, and closes the connection when there were too many.
    private func strike(_ id: ID) {
      let channel = connections.withLock { connections -> (any Channel)? in
        guard let strikes = connections[id]?.strikes else { return nil }
        connections[id]?.strikes = strikes + 1
        return strikes + 1 == strikeLimit ? connections[id]?.channel : nil
      }
      channel?.close(promise: nil)
    }

    /// Returns when every connection is closed; closes what is left when the grace is over.
    func drain(grace: Duration) async {
      let channels = connections.withLock { $0.values.map(\.channel) }
      await withTaskGroup { group in
        group.addTask {
          for channel in channels { try? await channel.closeFuture.get() }
        }
        group.addTask {
          try? await Task.sleep(for: grace)
        }
        // Whichever is first: all closed by themselves, or the time is over.
        await group.next()
        group.cancelAll()
        for channel in channels { channel.close(promise: nil) }
      }
    }
  }

  extension ConnectionSet.ID: LosslessStringConvertible {
    init(_ channel: any Channel) {
      number = UInt(bitPattern: ObjectIdentifier(channel))
    }

    init?(_ description: String) {
      guard let number = UInt(description) else { return nil }
      self.number = number
    }

    var description: String { String(number) }
  }

  /// Learns who the peer is, when TLS has verified that, and closes the connection of one that says nothing.
  private final class PeerReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let id: ConnectionSet.ID
    private let connections: ConnectionSet
    private let time: Duration
    private var timer: Scheduled<Void>?

    init(_ id: ConnectionSet.ID, _ connections: ConnectionSet, firstBytesWithin time: Duration) {
      self.id = id
      self.connections = connections
      self.time = time
    }

    func handlerAdded(context: ChannelHandlerContext) {
      let channel = context.channel
      timer = context.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      timer?.cancel()
      timer = nil
      context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if let event = event as? CertificateEvent { connections.set(event.peer, of: id) }
      context.fireUserInboundEventTriggered(event)
    }
  }
#endif
