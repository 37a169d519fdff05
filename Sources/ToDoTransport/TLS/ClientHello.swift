#if TLS
import NIOCore

/// The first message of a TLS client, as far as the server must see it before the TLS library does: the application
/// protocols (ALPN) that the client offers.
///
///     record:     type (1) = 22, version (2), length (2), a part of a handshake message
///     handshake:  type (1) = 1, length (3), version (2), random (32), session id, cipher suites, compression, extensions
///
/// RFC 8446, sections 4.1.2 and 5.1; RFC 7301, section 3.1.
enum ClientHello: Equatable {
  /// Not all of the message has arrived.
  case incomplete
  /// The protocols that the client offers. The list is empty if the client does not use ALPN.
  case offers([String])
  /// The bytes are not a client's first message. The TLS library reports the error.
  case unknown

  /// The maximum size of the message, including its records.
  static let maximumSize = 32 << 10

  /// Parses the first bytes of a connection.
  static func read(_ bytes: ByteBuffer) -> ClientHello {
    var records = bytes
    var message = ByteBuffer()
    while true {
      if let length = message.getHandshakeLength() {
        guard let length, length <= maximumSize else { return .unknown }
        if message.readableBytes >= 4 + length {
          message.moveReaderIndex(forwardBy: 4)
          guard var body = message.readSlice(length: length) else { return .unknown }
          return body.readOfferedProtocols().map(ClientHello.offers) ?? .unknown
        }
      }
      guard let type: UInt8 = records.getInteger(at: records.readerIndex) else { return .incomplete }
      guard type == 22 else { return .unknown }
      guard let length: UInt16 = records.getInteger(at: records.readerIndex + 3) else { return .incomplete }
      // A record without content would let a client send records forever.
      guard length > 0 else { return .unknown }
      guard records.readableBytes >= 5 + Int(length) else { return .incomplete }
      records.moveReaderIndex(forwardBy: 5)
      guard var part = records.readSlice(length: Int(length)) else { return .incomplete }
      message.writeBuffer(&part)
    }
  }
}

extension ByteBuffer {
  /// Returns the length of the handshake message that begins here: `nil` if too few bytes are here to tell, and `.some(nil)`
  /// if the message is not a ClientHello.
  fileprivate func getHandshakeLength() -> Int?? {
    guard let head: UInt32 = getInteger(at: readerIndex) else { return nil }
    return head >> 24 == 1 ? .some(Int(head & 0xFF_FFFF)) : .some(nil)
  }

  /// Reads the body of a ClientHello.
  ///
  /// - Returns: the protocols that the client offers; `nil` if the message is malformed.
  fileprivate mutating func readOfferedProtocols() -> [String]? {
    guard readSlice(length: 2 + 32) != nil, readVector(UInt8.self) != nil, readVector(UInt16.self) != nil,
      readVector(UInt8.self) != nil
    else { return nil }
    // Before TLS 1.3 a client may send no extensions.
    guard readableBytes > 0 else { return [] }
    guard var extensions = readVector(UInt16.self) else { return nil }
    while extensions.readableBytes > 0 {
      guard let type: UInt16 = extensions.readInteger(), var content = extensions.readVector(UInt16.self) else {
        return nil
      }
      guard type == 16 else { continue }
      guard var list = content.readVector(UInt16.self) else { return nil }
      var protocols: [String] = []
      while list.readableBytes > 0 {
        guard let name = list.readVector(UInt8.self) else { return nil }
        protocols.append(String(buffer: name))
      }
      return protocols
    }
    return []
  }

  /// Reads bytes that follow their length.
  private mutating func readVector<Length: FixedWidthInteger>(_: Length.Type) -> ByteBuffer? {
    guard let length = readInteger(as: Length.self) else { return nil }
    return readSlice(length: Int(length))
  }
}
#endif
