package import NIOCore
package import ToDoRPC

/// The first bytes of a connection in the PROXY protocol, version 2, with which a proxy names its client.
///
/// A header is 16 bytes, then addresses, then additions (TLVs), which are skipped:
///
///     signature (12) | version, command (1) | family, transport (1) | length of the rest (2) | source address ...
package struct ProxyHeader: Equatable, Sendable {
  /// Whether the proxy connects on behalf of a client, not for itself, as in health checks.
  package let isProxied: Bool
  /// The client's address; `nil` if it is not known, or not an IP address.
  package let source: IPAddress?

  /// Bytes that begin like a header but are not one.
  package struct Malformed: Error, Equatable {}

  /// The meaning of a connection's first bytes.
  package enum Start: Equatable, Sendable {
    /// The beginning of a header, or of something else.
    case incomplete
    /// Something else.
    case absent
    /// A header, and the number of its bytes.
    case complete(ProxyHeader, length: Int)
  }

  /// "\r\n\r\n\0\r\nQUIT\n", which no other protocol begins with.
  package static let signature: [UInt8] = [
    0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
  ]
  private static let fixedLength = 16
  /// The maximum length of the addresses and the additions: two paths of Unix sockets, and 536 bytes.
  private static let maximumRest = 216 + 536

  /// The maximum length of a header.
  package static let maximumLength = fixedLength + maximumRest

  /// Reads the first bytes of a connection.
  ///
  /// - Throws: `Malformed` as soon as the bytes cannot become a valid header.
  package static func read(_ bytes: ByteBufferView) throws(Malformed) -> Start {
    let known = Self.signature.prefix(bytes.count)
    guard bytes.prefix(known.count).elementsEqual(known) else { return .absent }
    let header = Array(bytes.prefix(maximumLength))
    if header.count > 12, header[12] >> 4 != 2 || header[12] & 0xF > 1 { throw Malformed() }
    guard header.count >= fixedLength else { return .incomplete }
    let (isProxied, family, transport) = (header[12] & 0xF == 1, header[13] >> 4, header[13] & 0xF)
    let length = Int(header[14]) << 8 | Int(header[15])
    guard family <= 3, transport <= 2, length <= maximumRest else { throw Malformed() }
    // LOCAL, of health checks: the receiver must ignore the addresses.
    let addressLength = isProxied ? Self.addressLengths[Int(family)] : 0
    guard length >= (isProxied ? Self.blockLengths[Int(family)] : 0) else { throw Malformed() }
    guard header.count >= fixedLength + length else { return .incomplete }
    // A client that speaks no stream (1) does not speak to this server.
    guard !isProxied || family == 0 || transport == 1 else { throw Malformed() }
    let source = IPAddress(bytes: header[fixedLength..<fixedLength + addressLength])
    return .complete(ProxyHeader(isProxied: isProxied, source: isProxied ? source : nil), length: fixedLength + length)
  }

  /// The lengths of addresses by family: none, IPv4, IPv6, Unix.
  private static let addressLengths = [0, 4, 16, 0]
  /// The lengths of two addresses, with the ports of those that have one.
  private static let blockLengths = [0, 12, 36, 216]
}
