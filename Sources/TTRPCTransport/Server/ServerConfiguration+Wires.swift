package import Logging
package import NIOCore

extension ServerConfiguration {
  /// What goes first into the pipeline of another wire's listening channel, and holds it to the limits of how many
  /// connections there may be. They are counted for each such channel alone.
  package func makeAcceptGate(_ logger: Logger) -> any ChannelHandler {
    let connections = ConnectionSet(
      limit: min(maximumConnections, ConnectionSet.limitOfProcess), limitPerAddress: maximumConnectionsPerAddress)
    return AcceptGate(connections, BufferBudget(limit: maximumBufferedBytes), logger)
  }
}
