#if HTTP
import Logging
import NIOCore
import NIOEmbedded
import ToDoHTTPTransport
import ToDoRPC
import ToDoSupport

extension FuzzTarget {
  /// A connection of the HTTP port: the choice of a version, requests, and what they are answered with. The first byte is the size
  /// of the parts in which the bytes arrive.
  static let httpRequests = FuzzTarget(name: "http-requests") { bytes in
    guard let first = bytes.first else { return }
    let channel = EmbeddedChannel()
    do {
      try HTTPListener.configure(channel, toServe: [saying], ServerLimits(), Logger(label: "fuzz"))
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    } catch { preconditionFailure("a connection can always be prepared") }
    var (rest, sent) = (bytes.dropFirst()[...], 0)
    while !rest.isEmpty, channel.isActive {
      _ = try? channel.writeInbound(ByteBuffer(bytes: rest.prefix(max(1, Int(first)))))
      rest = rest.dropFirst(max(1, Int(first)))
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(20))
      while let part = try? channel.readOutbound(as: IOData.self) { sent += part.readableBytes }
    }
    precondition(sent <= 1000 * (bytes.count + 1), "an answer has a bound")
    channel.embeddedEventLoop.advanceTime(by: .hours(2))
    precondition(!channel.isActive, "no connection outlives its idle time")
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }

  /// `test.Texts/Say`, whose response is its request.
  private static let saying = ServerMethod.unary(MethodName(service: "test.Texts", method: "Say")) { bytes, _, _ in
    .ready(OutgoingMessage(encoded: ByteBuffer(bytes: bytes)))
  }
}
#endif
