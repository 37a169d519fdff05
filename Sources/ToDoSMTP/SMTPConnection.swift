#if Nominatim
import NIOCore
import NIOSSL
import NIOTLS
import ToDoHTTP

/// Sends one message on a connection, and completes a promise with the outcome.
final class SMTPConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private var exchange: SMTPExchange
  private let limit: TimeAmount
  private let makeTLS: () throws -> NIOSSLClientHandler
  private let promise: EventLoopPromise<SMTPOutcome>
  private var parser = SMTPReplyParser()
  private var timeout: Scheduled<Void>?

  /// - Parameters:
  ///   - limit: the time limit of each step.
  ///   - makeTLS: makes the handler that encrypts the connection after STARTTLS.
  init(
    _ exchange: SMTPExchange, limit: TimeAmount, _ promise: EventLoopPromise<SMTPOutcome>,
    makeTLS: @escaping () throws -> NIOSSLClientHandler
  ) {
    (self.exchange, self.limit, self.promise, self.makeTLS) = (exchange, limit, promise, makeTLS)
  }

  func channelActive(context: ChannelHandlerContext) {
    startTimeout(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    while let byte: UInt8 = bytes.readInteger() {
      do {
        guard let reply = try parser.add(byte) else { continue }
        perform(exchange.received(reply), context)
        if exchange.isInHandshake { return startTLS(bytes, context) }
      } catch {
        return perform(exchange.receivedMalformedReply(), context)
      }
    }
  }

  /// - Parameter rest: the bytes that arrived after the reply to STARTTLS.
  private func startTLS(_ rest: ByteBuffer, _ context: ChannelHandlerContext) {
    // Bytes that arrive from now on are read by the TLS handler, for which they are not a handshake.
    guard rest.readableBytes == 0 else { return perform(exchange.receivedBeforeTLS(), context) }
    do { try context.pipeline.syncOperations.addHandler(makeTLS(), position: .first) } catch {
      end(error, context)
    }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted? = event as? TLSUserEvent, exchange.isInHandshake {
      perform(exchange.startedTLS(), context)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { end(error, context) }

  func channelInactive(context: ChannelHandlerContext) {
    perform(exchange.disconnected("the mail server closed the connection early"), context)
    context.fireChannelInactive()
  }

  private func end(_ error: any Error, _ context: ChannelHandlerContext) {
    perform(exchange.disconnected("\(HTTPError(mapping: error))"), context)
  }

  private func perform(_ actions: [SMTPExchange.Action], _ context: ChannelHandlerContext) {
    for action in actions {
      switch action {
      case .send(let bytes):
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        startTimeout(context)
      case .startTLS: startTimeout(context)
      case .finish(let outcome): promise.succeed(outcome)
      case .close:
        timeout?.cancel()
        context.close(promise: nil)
      }
    }
  }

  /// Limits the time until the next step.
  private func startTimeout(_ context: ChannelHandlerContext) {
    timeout?.cancel()
    let isolated = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timeout = context.eventLoop.scheduleTask(in: limit) {
      let (connection, context) = isolated.value
      connection.perform(connection.exchange.timedOut(), context)
    }
  }
}
#endif
