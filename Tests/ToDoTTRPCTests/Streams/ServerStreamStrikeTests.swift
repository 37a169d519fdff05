import Testing
import ToDoRPC
import ToDoTTRPC

/// The protocol violations that `ServerStreams` counts as strikes.
struct ServerStreamStrikeTests {
  private let id = ServerStreamState.id

  @Test(arguments: [
    (ServerStreamState.unopened, FrameEvent.unknown), (.unopened, .data), (.unopened, .requestClosedOpen),
    (.finished, .request), (.finished, .data),
  ])
  func hasReachedStrikeLimit_afterViolations_isTrue(state: ServerStreamState, event: FrameEvent) {
    var streams = ServerStreams(strikeLimit: 3)
    state.reach(&streams)
    for _ in 0..<2 {
      _ = streams.receive(event.header(on: id))
      #expect(streams.hasReachedStrikeLimit == false)
    }
    streams.strike()
    #expect(streams.hasReachedStrikeLimit == true)
  }

  @Test(arguments: [
    (ServerStreamState.abandoned, FrameEvent.data), (.cutShort, .data), (.open, .data), (.open, .dataNoData),
  ])
  func hasReachedStrikeLimit_whenClientCouldNotKnowOfEnd_isFalse(state: ServerStreamState, event: FrameEvent) {
    var streams = ServerStreams(strikeLimit: 1)
    state.reach(&streams)
    for _ in 0..<10 { _ = streams.receive(event.header(on: id)) }
    #expect(streams.hasReachedStrikeLimit == false)
  }

  @Test func receiveOversized_isAStrike() {
    var streams = ServerStreams(strikeLimit: 1)
    _ = streams.receiveOversized(FrameEvent.request.header(on: id, length: 101), limit: 100)
    #expect(streams.hasReachedStrikeLimit == true)
  }

  @Test(arguments: [2, 7])
  func receive_whenDataIsStray_rejectsItOnce(number: UInt32) {
    var streams = ServerStreamState.unopened.streams
    let words = (0..<3).map { _ in streams.receive(.data, on: StreamID(number)) }
    #expect(words == ["invalid", "ignore", "ignore"])
  }

  @Test func receive_whenDataFollowsLast_rejectsItOnce() {
    var streams = ServerStreamState.closed.streams
    #expect(streams.receive(.data, on: id) == "invalid")
    #expect(streams.receive(.data, on: id) == "ignore")
    _ = streams.finish(id)
    #expect(streams.receive(.data, on: id) == "ignore")
  }

  @Test(arguments: [ServerStreamState.open, .abandoned])
  func receive_whenDataPrecedesKnowledgeOfEnd_ignoresItOnRecentStreams(state: ServerStreamState) {
    var streams = state.streams
    _ = streams.finish(id)
    #expect(streams.receive(.data, on: id) == "ignore")
    for index in 0..<ServerStreams.unclosedStreamLimit {
      let next = StreamID(UInt32(2 * index + 7))
      _ = streams.receive(.requestOpen, on: next)
      _ = streams.finish(next)
    }
    #expect(streams.receive(.data, on: id) == "invalid")
  }

  @Test func receive_whenDataFollowsOversizedRequest_ignoresIt() {
    var streams = ServerStreams(strikeLimit: 2)
    _ = streams.receiveOversized(FrameEvent.requestOpen.header(on: id, length: 101), limit: 100)
    for _ in 0..<10 { #expect(streams.receive(.data, on: id) == "ignore") }
    #expect(streams.hasReachedStrikeLimit == false)
  }
}
