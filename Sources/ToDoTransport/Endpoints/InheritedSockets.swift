import Glibc
import NIOCore

/// The listening sockets that a service manager has opened for this process, as sd_listen_fds(3) describes.
///
/// The service manager owns the files and the permissions of these sockets. A listener uses the inherited socket that is
/// bound to its endpoint. Without one, it binds its own socket.
public struct InheritedSockets: Sendable {
  private let descriptors: [SocketAddress: Int32]

  /// No sockets.
  public static let none = InheritedSockets(descriptors: [:])

  private init(descriptors: [SocketAddress: Int32]) {
    self.descriptors = descriptors
  }

  /// Takes over the sockets that the environment announces to this process.
  ///
  /// - Parameters:
  ///   - environment: returns the value of a variable.
  ///   - first: the number of the first descriptor.
  /// - Throws: `InheritedSocketError` if `LISTEN_FDS` is not a number, or a descriptor is not a listening socket.
  public init(_ environment: (String) -> String?, first: Int32 = 3) throws {
    guard environment("LISTEN_PID").flatMap({ Int32($0) }) == getpid(), let text = environment("LISTEN_FDS") else {
      self = .none
      return
    }
    guard let count = Int32(text), (0...Self.maximumCount).contains(count) else {
      throw InheritedSocketError(description: "LISTEN_FDS is not a number from 0 to \(Self.maximumCount): \(text)")
    }
    var descriptors: [SocketAddress: Int32] = [:]
    for descriptor in first..<first + count {
      guard Self.isListening(descriptor), let address = Self.address(of: descriptor) else {
        throw InheritedSocketError(description: "descriptor \(descriptor) of LISTEN_FDS is not a listening socket")
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      descriptors[address] = descriptor
    }
    self.descriptors = descriptors
  }

  /// A service manager passes a few sockets.
  private static let maximumCount: Int32 = 64

  /// Returns the inherited socket that is bound to an endpoint, or `nil` if no socket is.
  package func descriptor(for endpoint: Endpoint) -> Int32? {
    if descriptors.isEmpty { return nil }
    return endpoint.address.flatMap { descriptors[$0] }
  }

  /// Checks that each socket belongs to exactly one of the endpoints. Clients of another socket would wait forever, and two
  /// listeners would both close one socket.
  ///
  /// - Throws: `InheritedSocketError`.
  public func check(_ endpoints: [Endpoint]) throws {
    var used: Set<SocketAddress> = []
    for address in endpoints.compactMap(\.address) where descriptors[address] != nil {
      guard used.insert(address).inserted else {
        throw InheritedSocketError(
          description: "two settings name the service manager's socket \(address); remove it from one of them")
      }
    }
    if let unused = descriptors.keys.first(where: { !used.contains($0) }) {
      throw InheritedSocketError(
        description: "the service manager passes a socket that no setting names: \(unused); add it to 'listen'")
    }
  }

  private static func isListening(_ descriptor: Int32) -> Bool {
    var (value, length) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value == 1
  }

  /// Returns the address that a socket is bound to. Its bytes are read one by one, because the C library's structures
  /// differ between systems.
  private static func address(of descriptor: Int32) -> SocketAddress? {
    var (bytes, length) = ([UInt8](repeating: 0, count: 256), socklen_t(256))
    let result = bytes.withUnsafeMutableBytes { bytes in
      getsockname(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    guard result == 0 else { return nil }
    let port = Int(bytes[2]) << 8 | Int(bytes[3])
    switch bytes.withUnsafeBytes({ Int32($0.loadUnaligned(as: sa_family_t.self)) }) {
    case AF_INET: return try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes[4..<8]), port: port)
    case AF_INET6: return try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes[8..<24]), port: port)
    case AF_UNIX:
      let path = bytes[..<min(Int(length), bytes.count)].dropFirst(2).prefix { $0 != 0 }
      return try? SocketAddress(unixDomainSocketPath: String(decoding: path, as: UTF8.self))
    default: return nil
    }
  }
}

/// Sockets of a service manager that cannot be used.
public struct InheritedSocketError: Error, CustomStringConvertible {
  /// The reason and the remedy.
  public let description: String
}

extension Endpoint {
  /// The address that a listening socket of this endpoint is bound to, or `nil` if the host is a name.
  fileprivate var address: SocketAddress? {
    switch self {
    case .tcp(let host, let port), .tls(let host, let port): try? SocketAddress(ipAddress: host, port: port)
    case .unix(let path): try? SocketAddress(unixDomainSocketPath: path)
    }
  }
}
