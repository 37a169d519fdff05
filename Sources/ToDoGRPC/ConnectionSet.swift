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
      var shared: CallConnection
    }

    private let connections = Mutex<[ID: Connection]>([:])

    func insert(_ channel: any Channel) throws {
      let id = ID(channel)
      connections.withLock { $0[id] = Connection(channel: channel, shared: CallConnection(peer: Peer())) }
      channel.closeFuture.whenComplete { _ in
        self.connections.withLock { _ = $0.removeValue(forKey: id) }
      }
      try channel.pipeline.syncOperations.addHandler(PeerReader(id, self))
    }

    /// What the calls of a connection share.
    subscript(id: ID) -> CallConnection? {
      connections.withLock { $0[id]?.shared }
    }

    fileprivate func set(_ peer: Peer, of id: ID) {
      connections.withLock { $0[id]?.shared = CallConnection(peer: peer) }
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

  /// Learns who the peer is, when TLS has verified that.
  private final class PeerReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let id: ConnectionSet.ID
    private let connections: ConnectionSet

    init(_ id: ConnectionSet.ID, _ connections: ConnectionSet) {
      self.id = id
      self.connections = connections
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if let event = event as? CertificateEvent { connections.set(event.peer, of: id) }
      context.fireUserInboundEventTriggered(event)
    }
  }
#endif
