import NIOCore
import NIOEmbedded
import ToDoProtobuf
import ToDoRPC
import ToDoSupport
import ToDoTTRPC
import ToDoTestServers

@testable import ToDoTTRPCTransport

/// The calls of a connection whose handler only records events, and the frames that they write.
final class ServerCallsFixture {
  let calls: ServerCalls
  let receiver = EventRecorder()
  let loop: NIOAsyncTestingEventLoop
  private let output: ServerOutput

  init(_ methods: MethodTable, _ limits: ServerLimits, _ loop: NIOAsyncTestingEventLoop) {
    self.loop = loop
    let account = ConnectionLimiter(limits).account(of: EmbeddedChannel())
    let arena = Arena()
    output = ServerOutput(limits, account: account, arena: arena)
    calls = ServerCalls(
      methods: methods, peer: Peer(), configuration: limits, account: account, arena: arena, output: output)
    calls.attach(to: ServerConnection(receiver, on: loop))
  }

  /// A method whose response is ready immediately.
  static let readyMethod = ServerMethod.unary(TestMethods.name("Ready")) { _, _, _ in
    .ready(TestMethods.message("ready"))
  }

  /// A stream that ends when the shutdown starts.
  static let endlessMethod = {
    var method = ServerMethod.streaming(TestMethods.name("Endless")) { _, _ in
      { _, incoming, _ in for try await _ in incoming {} }
    }
    method.endsOnShutdown = true
    return method
  }()

  func receive(_ frame: RawFrame) throws {
    let header = FrameHeader(
      length: frame.data.count, streamID: StreamID(frame.id), type: FrameType(rawValue: frame.type),
      flags: FrameFlags(rawValue: frame.flags))
    try calls.receive(.frame(header, ByteBuffer(bytes: frame.data)), limit: 1 << 20)
  }

  /// Returns the frames that were written since the last call.
  func responses() throws -> [RawFrame] {
    var bytes = output.takeFrames() ?? ByteBuffer()
    var frames: [RawFrame] = []
    while let header = bytes.readFrameHeader(), let data = bytes.readBytes(length: header.length) {
      frames.append(
        RawFrame(header.type.rawValue, id: header.streamID.rawValue, flags: header.flags.rawValue, data))
    }
    return frames
  }
}

/// Records the events of calls.
final class EventRecorder: CallEventReceiver {
  private(set) var events: [String] = []

  func finish(_ id: StreamID, _ outcome: CallOutcome) { events.append("finish \(id)") }

  func send(_ message: OutgoingMessage, on id: StreamID, _ sent: EventLoopPromise<Void>) {
    events.append("send \(id)")
    sent.succeed()
  }

  func resumeInput(of id: StreamID) { events.append("resume input of \(id)") }

  func resumeReading() { events.append("resume reading") }

  func receive(_ event: CallConnection.Event) { events.append("credentials") }
}
