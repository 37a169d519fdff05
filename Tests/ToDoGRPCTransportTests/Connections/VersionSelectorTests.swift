#if GRPC
import NIOCore
import NIOEmbedded
import Synchronization
import Testing
import ToDoRPC
import ToDoTestSupport

@testable import ToDoGRPCTransport

/// The choice of a version by the first bytes of a connection.
@Suite(.timeLimited) struct VersionSelectorTests {
  private struct Failure: Error {}

  private static let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n")

  /// The channel stays open here, as one does whose reads have not ended when it is closed.
  @Test(arguments: [ByteBuffer(string: "GET"), preface])
  func handlers_areAddedOnce_alsoIfThatFails(_ bytes: ByteBuffer) throws {
    let channel = EmbeddedChannel()
    let count = Mutex(0)
    let selector = VersionSelector(isNegotiated: false, ServerLimits()) { _, _ in
      count.withLock { $0 += 1 }
      throw Failure()
    }
    try channel.pipeline.syncOperations.addHandler(selector)
    try channel.pipeline.syncOperations.addHandler(Opening(), position: .first)
    for _ in 1...3 { channel.pipeline.fireChannelRead(bytes) }
    #expect(count.withLock(\.self) == 1)
    #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
  }

  /// Keeps a connection open.
  private final class Opening: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {}
  }
}
#endif
