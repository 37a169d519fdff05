#if HTTP
import NIOCore
import ToDoRPC

/// Passes the bytes of one request at a time on to the decoder, and reads no others from the connection meanwhile.
///
/// It comes before the decoder, which would collect every request in a read, and headers of any length.
final class RequestGate: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// The first bytes of a request's head have arrived.
  struct HeadBegan: Sendable {}

  private var splitter: RequestSplitter
  private var meter: BufferMeter
  private var context: ChannelHandlerContext?
  private var isPassing = false
  private var readIsWaiting = false
  private var hasAnnouncedHead = false
  private var isBroken = false

  /// The number of waiting bytes at which a connection is closed if the client has closed its side.
  private static let maximumWaitingBytes = 256 << 10

  init(_ limits: ServerLimits, _ account: ConnectionAccount) {
    splitter = RequestSplitter(messageLimit: limits.maximumFrameLength)
    meter = BufferMeter(account)
  }

  /// Whether bytes wait.
  var hasWaitingBytes: Bool { splitter.bufferedBytes > 0 }

  /// Whether the client sends to no avail.
  var isHolding: Bool { splitter.need == .nothing }

  /// Sets the part that the decoder receives next, and passes on the bytes of it that have arrived.
  func expect(_ need: RequestSplitter.Need) {
    splitter.need = need
    if need == .head { hasAnnouncedHead = false }
    pass()
    resumeReading()
  }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelInactive(context: ChannelHandlerContext) {
    isBroken = true
    meter.end()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isBroken else { return }
    splitter.append(unwrapInboundIn(data))
    pass()
    // All that a client has sent is read when it closes its side, whatever is asked for.
    if splitter.bufferedBytes > Self.maximumWaitingBytes { context.close(promise: nil) }
  }

  func read(context: ChannelHandlerContext) {
    if isHolding { readIsWaiting = true } else { context.read() }
  }

  private func pass() {
    // The decoder calls `expect` while it receives bytes.
    guard !isPassing, !isBroken, let context else { return }
    isPassing = true
    do {
      while !isBroken, let part = try splitter.next() { context.fireChannelRead(wrapInboundOut(part)) }
      if splitter.isInsideHead, !hasAnnouncedHead {
        hasAnnouncedHead = true
        context.fireUserInboundEventTriggered(HeadBegan())
      }
    } catch {
      splitter.need = .discard
      context.fireErrorCaught(error)
    }
    isPassing = false
    if !isBroken { meter.keep(splitter.bufferedBytes) }
  }

  private func resumeReading() {
    guard readIsWaiting, !isHolding, let context else { return }
    readIsWaiting = false
    context.read()
  }
}
#endif
