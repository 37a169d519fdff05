#if TLS
import NIOCore

/// The TLS records that a server sends. This type reads only their headers.
///
///     record:  type (1) = 20...23, version (2) = 3.x, length (2), content
///
/// RFC 8446, section 5.1.
struct ServerRecords {
  /// Whether all headers are TLS record headers.
  private(set) var areTLS = true
  /// Whether the server has sent an alert that is not encrypted.
  private(set) var haveAlert = false

  private var header: [UInt8] = []
  private var remainingContent = 0

  /// Reads the next bytes of the connection.
  mutating func read(_ bytes: ByteBufferView) {
    var bytes = bytes
    while areTLS, !bytes.isEmpty {
      let content = min(remainingContent, bytes.count)
      bytes = bytes.dropFirst(content)
      remainingContent -= content
      guard remainingContent == 0, let byte = bytes.popFirst() else { return }
      header.append(byte)
      areTLS = (20...23).contains(header[0]) && (header.count < 2 || header[1] == 3)
      guard header.count == 5 else { continue }
      haveAlert = haveAlert || header[0] == 21
      remainingContent = Int(header[3]) << 8 | Int(header[4])
      header.removeAll(keepingCapacity: true)
    }
  }
}

/// Reads the records of a handshake, before the TLS handler does.
final class ServerRecordReader: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private(set) var records = ServerRecords()

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    records.read(unwrapInboundIn(data).readableBytesView)
    context.fireChannelRead(data)
  }
}
#endif
