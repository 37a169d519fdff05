package import Synchronization
package import TTRPC

/// What a call comes with, beside its message.
package struct CallContext: Sendable {
  package let metadata: Metadata
  package let connection: CallConnection

  package init(metadata: Metadata, connection: CallConnection) {
    self.metadata = metadata
    self.connection = connection
  }

  /// To be called once the caller is known: from then on the connection takes frames of full length.
  package func authenticated() { connection.authenticated() }
}

/// The connection that a call came on: who is at its other end, and a place for what was found out about them.
package final class CallConnection: Sendable {
  package let peer: Peer
  /// What the methods' bodies remember from call to call; nothing at first.
  package let memory = Mutex<(any AnyObject & Sendable)?>(nil)

  fileprivate let authenticated: @Sendable () -> Void

  /// - Parameter authenticated: called when the caller is known, and at each call after that.
  package init(peer: Peer, authenticated: @escaping @Sendable () -> Void = {}) {
    self.peer = peer
    self.authenticated = authenticated
  }
}
