import TTRPC

/// The limits of a server's connections.
package struct ServerConfiguration: Sendable {
  /// The most bytes of data that a frame may bear, either way.
  package var maximumFrameLength = FrameHeader.maximumLength
  /// How many calls one connection may have in flight; then the server reads no more from it.
  package var maximumStreams = ServerStreams.defaultLimit

  package init() {}
}
