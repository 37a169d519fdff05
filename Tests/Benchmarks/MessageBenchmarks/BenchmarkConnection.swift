import Logging
import NIOCore
import NIOEmbedded
import ToDoModel
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTTRPC
import ToDoTTRPCTransport

/// A connection of the server without a socket, over a store in memory that has one item.
///
/// What the embedded channel itself costs is in what it measures.
final class BenchmarkConnection {
  private let channel = EmbeddedChannel()
  private let arena = Arena()
  private var nextStream: UInt32 = 1
  /// The frame of a request, whose stream has yet to be filled in, and how long that of its answer is.
  private let request: ByteBuffer
  private var answerLength = 0

  init() {
    let store = MemoryToDoItemStore()
    Self.fill(store)
    let health = HealthMonitor(services: [ToDoMethods.service])
    let methods = MethodTable(
      serving: OpenAccess(to: LocalToDoService(store: store)), health: health,
      interceptors: [LoggingInterceptor(Logger(label: "MessageBenchmarks"))])
    var request = ByteBuffer()
    request.writeFrameHeader(FrameHeader(length: 0, streamID: StreamID(0), type: .request))
    let payload = Payload.message(
      ToDoMethods.getItem.request.encode(Scoped(SingleItemRequest(id: SampleItem.item.id)), arena))
    request.writeRequestEnvelope(
      ToDoMethods.getItem.name, timeout: nil, metadata: Metadata(), payload: payload, arena: arena)
    request.setInteger(UInt32(request.readableBytes - FrameHeader.size), at: 0)
    self.request = request
    do {
      try ServerListener.configure(channel, methods: methods, logger: Logger(label: "MessageBenchmarks"))
      channel.pipeline.fireChannelActive()
    } catch { preconditionFailure("the channel was not prepared: \(error)") }
    answerLength = answer(to: 1).readableBytes
    precondition(answerLength > SampleItem.encoded.readableBytes, "the answer does not bear the item")
  }

  /// Asks for the item so many times in one read.
  func getItem(_ count: Int) {
    let answer = answer(to: count)
    precondition(answer.readableBytes == count * answerLength, "the answers are not those of before")
  }

  private func answer(to count: Int) -> ByteBuffer {
    var bytes = ByteBufferAllocator().buffer(capacity: count * request.readableBytes)
    for _ in 0..<count {
      let start = bytes.writerIndex
      bytes.writeImmutableBuffer(request)
      // The stream follows the length in the header.
      bytes.setInteger(nextStream, at: start + MemoryLayout<UInt32>.size)
      nextStream += 2
    }
    do {
      try channel.writeInbound(bytes)
      guard let answer = try channel.readOutbound(as: ByteBuffer.self) else {
        preconditionFailure("the requests were not answered at once, in one write")
      }
      return answer
    } catch { preconditionFailure("the connection failed: \(error)") }
  }

  /// The store waits for nothing, so the task has ended when this returns.
  private static func fill(_ store: MemoryToDoItemStore) {
    Task.immediate { [key = store.fingerprintKey] in
      try await store.write(.local) { transaction in
        var item = SampleItem.item
        item.revision = try transaction.revision
        item.number = try transaction.nextNumber
        try transaction.insert(item, fingerprint: ContentFingerprint(of: item.content, key: key))
      }
    }
    precondition(store.cachedItem(SampleItem.item.id, of: .local) != nil, "the store has not kept the item")
  }
}
