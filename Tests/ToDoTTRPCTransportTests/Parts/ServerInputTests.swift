import NIOCore
import Testing
import ToDoTTRPC
import ToDoTestServers

@testable import ToDoTTRPCTransport

/// The input of a server's connection, without a channel.
struct ServerInputTests {
  private let frames = [RawFrame.request(1, "Say", "a"), .request(3, "Say", "b")]

  private var bytes: ByteBuffer { ByteBuffer(bytes: frames.flatMap(\.bytes)) }

  private func id(_ frame: DecodedFrame?) -> UInt32? {
    switch frame {
    case .frame(let header, _), .oversized(let header): header.streamID.rawValue
    case nil: nil
    }
  }

  // MARK: Frames

  @Test func next_afterReceive_returnsFramesInOrder() throws {
    var input = ServerInput(maximumLength: 1000)
    input.receive(bytes)
    #expect(input.isProcessing == true)
    let ids = [id(try input.next()), id(try input.next()), id(try input.next())]
    #expect(ids == [1, 3, nil])
    #expect(input.frameCount == 2)
  }

  @Test func next_whenPaused_leavesFramesUntilResumed() throws {
    var input = ServerInput(maximumLength: 1000)
    input.receive(bytes)
    let frame1 = try input.next()
    #expect(id(frame1) == 1)
    input.compact()
    input.pause()
    let none = try input.next()
    #expect(none == nil)
    #expect(input.bufferedBytes > 0)
    #expect(input.pendingLength == 0)
    #expect(input.resume() == true)
    let frame3 = try input.next()
    #expect(id(frame3) == 3)
    #expect(input.pendingLength == nil)
  }

  @Test func resume_whenProcessing_returnsFalse() {
    var input = ServerInput(maximumLength: 1000)
    #expect(input.resume() == true)
    #expect(input.resume() == false)
    input.pause()
    #expect(input.resume() == true)
  }

  @Test func maximumLength_whenReduced_appliesToFramesThatWereLeft() throws {
    var input = ServerInput(maximumLength: 1000)
    input.receive(bytes)
    let frame1 = try input.next()
    #expect(id(frame1) == 1)
    input.maximumLength = 4
    guard case .oversized(let header) = try input.next() else {
      Issue.record("the frame is not oversized")
      return
    }
    #expect(header.streamID.rawValue == 3)
  }

  @Test func next_whenBytesAreNotTTRPC_throws() {
    var input = ServerInput(maximumLength: 1000)
    input.receive(ByteBuffer(string: "GET / HTTP/1.1"))
    do {
      _ = try input.next()
      Issue.record("there is a frame")
    } catch { #expect(error as? FramingError == .notTTRPC) }
  }

  // MARK: The end

  @Test func end_discardsBytes_andLaterOnes() throws {
    var input = ServerInput(maximumLength: 1000)
    input.receive(bytes)
    input.end()
    #expect(input.isEnded == true)
    #expect(input.isProcessing == false)
    #expect(input.bufferedBytes == 0)
    input.receive(bytes)
    #expect(input.bufferedBytes == 0)
    let none = try input.next()
    #expect(none == nil)
    input.pause()
    #expect(input.resume() == false)
    #expect(input.isEnded == true)
  }

  // MARK: Demand

  @Test func meetDemand_whenNothingIsDeferred_returnsFalse() {
    var input = ServerInput(maximumLength: 1000)
    #expect(input.meetDemand() == false)
  }

  @Test func meetDemand_afterDeferred_returnsTrueOnce() {
    var input = ServerInput(maximumLength: 1000)
    input.deferDemand()
    #expect(input.meetDemand() == true)
    #expect(input.meetDemand() == false)
  }

  @Test func demand_whenDeferredBeforeOrDuringProcessing_isKept() {
    for isEarly in [true, false] {
      var input = ServerInput(maximumLength: 1000)
      if isEarly { input.deferDemand() }
      input.receive(bytes)
      if !isEarly { input.deferDemand() }
      #expect(input.meetDemand() == false)
      input.pause()
      #expect(input.meetDemand() == true)
    }
  }

  @Test func demand_afterEnd_isNotMet() {
    var input = ServerInput(maximumLength: 1000)
    input.deferDemand()
    input.end()
    input.deferDemand()
    #expect(input.meetDemand() == false)
  }
}
