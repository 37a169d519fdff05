import ToDoRPC

/// The origin of an authentication attempt, as far as the server can identify it.
enum AttemptSource: Hashable, Sendable {
  case address(NetworkAddress)
  case unixUser(UInt32)
  /// The connection was closed before its address was read.
  case unknown

  init(_ peer: Peer) {
    if let address = peer.address {
      self = .address(address)
    } else if let unixUser = peer.unixUser {
      self = .unixUser(unixUser)
    } else {
      self = .unknown
    }
  }
}

extension AttemptSource: CustomStringConvertible {
  var description: String {
    switch self {
    case .address(let address): "\(address)"
    case .unixUser(let number): "Unix user \(number)"
    case .unknown: "unknown"
    }
  }
}
