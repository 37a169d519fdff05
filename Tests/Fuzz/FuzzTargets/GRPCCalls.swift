#if GRPC
import ToDoGRPCTransport
import NIOCore
import NIOHPACK
import ToDoRPC

extension FuzzTarget {
  /// The parsers of a gRPC call's headers and messages. The input has one line `name~value` for each header, then an
  /// empty line and the bytes of the messages.
  static let grpcCalls = FuzzTarget(name: "grpc-calls") { bytes in
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 64, omittingEmptySubsequences: false)
    let end = lines.firstIndex(where: \.isEmpty) ?? lines.endIndex
    var headers = HPACKHeaders()
    for line in lines[..<end] {
      let parts = line.split(separator: UInt8(ascii: "~"), maxSplits: 1, omittingEmptySubsequences: false)
      // The HTTP/2 decoder rejects such names before.
      guard parts[0].allSatisfy({ $0 < 0x80 }) else { continue }
      headers.add(
        name: String(decoding: parts[0], as: UTF8.self),
        value: parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : "")
    }
    if let head = try? RequestHead(headers) {
      precondition(head.timeout.map { (.zero ... .seconds(400_000_000_000)).contains($0) } ?? true)
      precondition(!head.service.contains("/") && !head.method.contains("/"))
    }
    let body = Array(lines[min(end + 1, lines.endIndex)...].joined(separator: [UInt8(ascii: "\n")]))
    let decoded = messages(in: body, inFramesOf: max(body.count, 1))
    for size in [1, 3, 7] {
      precondition(messages(in: body, inFramesOf: size) == decoded, "messages do not depend on frame sizes")
    }
  }

  private struct Decoded: Equatable {
    var messages: [[UInt8]] = []
    var error: RPCError?
  }

  private static func messages(in bytes: [UInt8], inFramesOf size: Int) -> Decoded {
    var decoder = MessageDecoder(limit: 1000)
    var decoded = Decoded()
    var rest = bytes[...]
    do throws(RPCError) {
      while !rest.isEmpty {
        decoder.append(ByteBuffer(bytes: rest.prefix(size)))
        rest = rest.dropFirst(size)
        while let message = try decoder.next() { decoded.messages.append(Array(message.readableBytesView)) }
        precondition(
          decoder.bufferedBytes <= 4 * 1000 + 2 * size + 2048, "the decoder buffers no more than a message")
      }
    } catch { decoded.error = error }
    return decoded
  }
}
#endif
