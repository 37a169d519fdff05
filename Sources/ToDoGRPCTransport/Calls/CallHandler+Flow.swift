#if GRPC
import NIOCore
import NIOHTTP2
import ToDoRPC

extension CallHandler {
  var isReadingPaused: Bool { !mayRead }

  var mayRead: Bool {
    if case .authenticating = state { return false }
    return !isBackpressured
  }

  func resumeReading() {
    isBackpressured = false
    measure()
    guard readIsWaiting, mayRead, let context else { return }
    readIsWaiting = false
    context.read()
  }

  /// Handles the end of the request. A unary call waits while too many response bytes of its connection are unsent.
  func endInput(_ context: ChannelHandlerContext) {
    switch state {
    case .receiving(let call, _?) where !call.method.isStreaming && connection.isOutputFull:
      connection.waitForOutput(self) { [weak self] in
        guard let self, let context = self.context else { return }
        endInput(context)
      }
    case .receiving(let call, let request?): start(call, request, context)
    case .receiving(let call, nil) where call.method.takesManyMessages && !decoder.isInsideMessage: end(.streamed)
    case .receiving: end(.failed(.invalidStream("a request is missing")))
    case .working(_, let input): input?.finish()
    case .idle, .authenticating, .ended: break
    }
  }

  /// The length of the message that is arriving; `nil` if the server is not waiting for the caller.
  var pendingLength: Int? {
    switch state {
    case .receiving: hasInputEnded ? nil : decoder.pendingLength ?? 0
    case .working: decoder.isInsideMessage ? decoder.pendingLength ?? 0 : nil
    case .idle, .authenticating, .ended: nil
    }
  }

  /// Charges the bytes of the call to its connection: its metadata, the incomplete request, the request that the work
  /// retains, and the messages that the work has not read.
  func measure() {
    let bytes =
      switch state {
      case .authenticating(_, let held): metadataBytes + held.reduce(0) { $0 + $1.readableBytes }
      case .receiving(_, let request): metadataBytes + decoder.bufferedBytes + (request?.readableBytes ?? 0)
      case .working(_, let input):
        metadataBytes + requestBytes + decoder.bufferedBytes + (input?.unreadBytes ?? 0)
      case .idle, .ended: 0
      }
    guard bytes != meteredBytes else { return }
    connection.hold(bytes - meteredBytes)
    meteredBytes = bytes
  }

  /// Discards the received part of the request.
  func discardInput() {
    decoder.reset()
    measure()
  }

  /// The number of the call's HTTP/2 stream.
  var streamNumber: UInt32 {
    let id = try? context?.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
    return id.map { UInt32(Int($0)) } ?? 0
  }
}
#endif
