import NIOCore
import NIOEmbedded
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers

@testable import ToDoTTRPCTransport

/// The output of a server's connection, without a channel.
struct ServerOutputTests {
  private let loop = EmbeddedEventLoop()

  private func output(maximumResponseLength: Int = 1 << 20, outputLimit: Int = 1000) -> ServerOutput {
    var limits = ServerLimits()
    limits.maximumResponseLength = maximumResponseLength
    limits.outputLimit = outputLimit
    let account = ConnectionLimiter(limits).account(of: EmbeddedChannel())
    return ServerOutput(limits, account: account, arena: Arena())
  }

  private func answer(_ text: String = "x") -> CallOutcome { .answered(TestMethods.message(text)) }

  private let large = String(repeating: "x", count: 256 << 10)

  /// Sends a message, and returns the outcome when it is known: `nil` while the sender waits.
  private func send(
    _ text: String, on id: UInt32 = 1, to output: ServerOutput, isWritable: Bool = true
  ) -> () -> Result<Void, any Error>? {
    let sent = loop.makePromise(of: Void.self)
    let result = NIOLoopBoundBox<Result<Void, any Error>?>(nil, eventLoop: loop)
    sent.futureResult.whenComplete { result.value = $0 }
    output.send(TestMethods.message(text), on: StreamID(id), sent, isWritable: isWritable)
    return {
      loop.run()
      return result.value
    }
  }

  private func ids(_ bytes: ByteBuffer?) -> [UInt32] {
    var bytes = bytes ?? ByteBuffer()
    var ids: [UInt32] = []
    while let header = bytes.readFrameHeader() {
      ids.append(header.streamID.rawValue)
      bytes.moveReaderIndex(forwardBy: header.length)
    }
    return ids
  }

  // MARK: Frames

  @Test func takeFrames_returnsCollectedFramesOnce() {
    let output = output()
    output.write(answer(), on: StreamID(1))
    output.write(.failed(.cancelled), on: StreamID(3))
    output.write(.streamed, on: StreamID(5))
    #expect(ids(output.takeFrames()) == [1, 3, 5])
    #expect(output.takeFrames() == nil)
  }

  @Test func send_whenMessageIsTooLarge_fails_andWritesNothing() throws {
    let output = output(maximumResponseLength: 100)
    let result = send(String(repeating: "x", count: 101), to: output)
    #expect(throws: RPCError.self) { try #require(result()).get() }
    #expect(output.takeFrames() == nil)
  }

  // MARK: Flushing

  @Test func flushDue_whenThereAreNoFrames_isNone() {
    #expect(output().flushDue() == .none)
  }

  @Test func flushDue_afterFrame_schedulesOneFlush() {
    let output = output()
    output.write(answer(), on: StreamID(1))
    #expect(output.flushDue() == .later)
    output.write(answer(), on: StreamID(3))
    #expect(output.flushDue() == .none)
    output.startFlush()
    #expect(ids(output.takeFrames()) == [1, 3])
    output.write(answer(), on: StreamID(5))
    #expect(output.flushDue() == .later)
  }

  @Test func flushDue_whenFramesAreLarge_isNow_evenIfScheduled() {
    let output = output()
    output.write(answer(), on: StreamID(1))
    #expect(output.flushDue() == .later)
    output.write(answer(large), on: StreamID(3))
    #expect(output.isLarge)
    #expect(output.flushDue() == .now)
  }

  // MARK: Senders

  @Test func send_whenThereIsRoom_succeeds() throws {
    try #require(send("x", to: output())()).get()
  }

  @Test(arguments: [(false, "x"), (true, String(repeating: "x", count: 256 << 10))])
  func send_whenThereIsNoRoom_waitsUntilResumed(isWritable: Bool, text: String) throws {
    let output = output()
    let result = send(text, to: output, isWritable: isWritable)
    #expect(result() == nil)
    output.resumeSenders()
    try #require(result()).get()
  }

  @Test func failSenders_onStream_failsNoOthers() throws {
    let output = output()
    let (first, second) = (
      send("x", on: 1, to: output, isWritable: false), send("x", on: 3, to: output, isWritable: false)
    )
    output.failSenders(on: StreamID(3))
    #expect(first() == nil)
    #expect(throws: CancellationError.self) { try #require(second()).get() }
    output.resumeSenders()
    try #require(first()).get()
  }

  @Test func close_returnsFrames_failsSenders_andTakesNoMore() throws {
    let output = output()
    output.write(answer(), on: StreamID(1))
    #expect(output.flushDue() == .later)
    let waiting = send("x", on: 3, to: output, isWritable: false)
    #expect(ids(output.close()) == [1, 3])
    #expect(throws: CancellationError.self) { try #require(waiting()).get() }
    output.startFlush()
    output.write(answer(), on: StreamID(5))
    let late = send("x", on: 7, to: output)
    #expect(throws: CancellationError.self) { try #require(late()).get() }
    #expect(output.flushDue() == .none)
    #expect(output.takeFrames() == nil)
  }

  // MARK: Bounds

  @Test func isOverLimit_whenMoreIsUnsentThanLimit_isTrue() {
    let output = output(outputLimit: 1000)
    output.measure(unsent: 1000)
    #expect(!output.isOverLimit)
    output.measure(unsent: 1001)
    #expect(output.isOverLimit)
  }

  @Test func isMeasurementDue_after16KiB_isTrueUntilMeasured() {
    let output = output()
    output.write(answer(String(repeating: "x", count: 16 << 10)), on: StreamID(1))
    #expect(!output.isMeasurementDue)
    let count = output.takeFrames()?.readableBytes
    #expect(output.written == count)
    #expect(output.isMeasurementDue)
    output.measure(unsent: 10)
    #expect(!output.isMeasurementDue)
    #expect(output.unsent == 10)
  }
}
