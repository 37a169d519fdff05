package import ToDoRPC

/// An event that a peer has presented a certificate, which was verified.
package struct CertificateEvent: Sendable {
  /// The peer, with the subject of its certificate.
  package let peer: Peer
}
