import NIOCore
import ToDoRPC
import ToDoTTRPC

/// Sends the requests of one connection and passes the responses to `LoadLoop`.
///
/// All requests that follow from one read are sent in one write.
final class LoadConnectionHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let run: LoadLoop
  private let connectionIndex: Int
  private var reader = FrameReader()
  private var streams = ClientStreams()
  private var inFlight: InFlightRing
  private var output = ByteBuffer()
  private var context: ChannelHandlerContext?
  private(set) var bytesIn = 0
  private(set) var bytesOut = 0

  init(_ run: LoadLoop, connectionIndex: Int) {
    self.run = run
    self.connectionIndex = connectionIndex
    inFlight = InFlightRing(limit: run.plan.inFlight)
  }

  // MARK: Requests

  /// Sends the requests that the connection is to send now.
  ///
  /// - Parameter hadCapacity: Whether the connection had capacity when the requests became due.
  func fill(hadCapacity: Bool) {
    guard let context, context.channel.isActive, context.channel.isWritable else { return }
    let now = run.clock.now
    while write(at: now, hadCapacity: hadCapacity) {}
    guard output.readableBytes > 0 else { return }
    bytesOut += output.readableBytes
    context.writeAndFlush(wrapOutboundOut(output), promise: nil)
    output.clear()
  }

  /// Writes the next request to the output buffer.
  ///
  /// - Returns: Whether there may be more requests to send.
  private func write(at now: Nanoseconds, hadCapacity: Bool) -> Bool {
    guard let request = run.nextRequest(on: connectionIndex, at: now, hadCapacity: hadCapacity) else { return false }
    guard let id = streams.open(.unary) else {
      run.finish(request, on: connectionIndex, at: now, code: .unavailable)
      context?.close(promise: nil)
      return false
    }
    run.write(request, on: id, to: &output)
    inFlight.insert(request, id)
    return true
  }

  /// Fails requests that were sent before a time with `deadlineExceeded`.
  func expire(sentBefore limit: Nanoseconds, at now: Nanoseconds) {
    for (id, request) in inFlight.all where request.sent < limit {
      inFlight.remove(id)
      _ = streams.forget(id)
      run.finish(request, on: connectionIndex, at: now, code: .deadlineExceeded)
    }
  }

  var isActive: Bool { context?.channel.isActive ?? false }

  func close() { context?.close(promise: nil) }

  // MARK: Channel events

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let bytes = unwrapInboundIn(data)
    bytesIn += bytes.readableBytes
    reader.append(bytes)
    do { try process() } catch {
      run.reportProtocolError("\(error)")
      context.close(promise: nil)
    }
    reader.compact()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    fill(hadCapacity: false)
    run.tick()
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable { fill(hadCapacity: false) }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    let now = run.clock.now
    for (id, request) in inFlight.all {
      inFlight.remove(id)
      run.finish(request, on: connectionIndex, at: now, code: .unavailable)
    }
    run.detach(self, at: connectionIndex)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  // MARK: Responses

  private func process() throws {
    let now = run.clock.now
    while let frame = try reader.next() {
      switch frame {
      case .frame(let header, let data): try perform(streams.receive(header), data, at: now)
      case .oversized(let header): try perform(streams.receive(header), ByteBuffer(), at: now)
      }
    }
  }

  private func perform(_ action: ClientStreams.Action, _ data: ByteBuffer, at now: Nanoseconds) throws {
    switch action {
    case .finish(let id):
      if let request = inFlight.remove(id) { run.receive(data, for: request, on: connectionIndex, at: now) }
    case .ignore, .deliver, .end: break
    case .close(let violation): throw violation
    }
  }
}
