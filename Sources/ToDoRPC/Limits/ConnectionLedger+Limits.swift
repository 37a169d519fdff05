extension ConnectionLedger {
  /// The limits of connections on all transports.
  struct Limits: Equatable, Sendable {
    var connections: Int
    var connectionsPerAddress: Int
    var connectionsPerUnixUser: Int
    /// The Unix users that are exempt from `connectionsPerUnixUser`, because they can stop the server anyway.
    var exemptUnixUsers: Set<UInt32>
    var bytes: Int
    var bytesPerUser: Int
    var bytesPerAddress: Int

    /// The part of `bytes` that only connections with small holdings may use.
    var reserve: Int { bytes / ServerLimits.bufferReserveShare }

    /// The number of bytes up to which a connection may use the reserve.
    static let smallHolding = ServerLimits.smallBuffer

    init(_ configuration: ServerLimits) {
      connections = min(configuration.maximumConnections, Self.descriptorLimit)
      connectionsPerAddress = configuration.maximumConnectionsPerAddress
      connectionsPerUnixUser = configuration.maximumConnectionsPerUnixUser
      exemptUnixUsers = [0, Peer.ownUnixUser]
      bytes = configuration.maximumBufferedBytes
      bytesPerUser = configuration.maximumBufferedBytesPerUser
      bytesPerAddress = configuration.maximumBufferedBytesPerAddress
    }

    /// The number of files that this process may open, less a reserve for files other than connections.
    private static var descriptorLimit: Int {
      guard let files = DescriptorLimit.current else { return .max }
      return max(files - 64, files / 2)
    }
  }
}
