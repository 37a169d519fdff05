import Testing
import ToDoRPC
import ToDoTTRPC

struct ServerStreamsTests {
  private let id = ServerStreamState.id

  // MARK: Every event in every state

  @Test(arguments: ServerStreamState.frames.cells)
  func receive_anyFrameInAnyState_matchesTable(_ cell: EventTable<FrameEvent, ServerStreamState>.Cell) {
    var streams = cell.state.streams
    #expect(streams.receive(cell.event.header(on: id)).word(on: id) == cell.outcome)
  }

  @Test(arguments: ServerStreamState.oversizedFrames.cells)
  func receiveOversized_anyFrameInAnyState_matchesTable(_ cell: EventTable<FrameEvent, ServerStreamState>.Cell) {
    var streams = cell.state.streams
    let header = cell.event.header(on: id, length: 101)
    #expect(streams.receiveOversized(header, limit: 100).word(on: id) == cell.outcome)
  }

  @Test(arguments: ServerStreamState.handlers.cells)
  func handler_inAnyState_matchesTable(_ cell: EventTable<HandlerEvent, ServerStreamState>.Cell) {
    var streams = cell.state.streams
    let isDone =
      switch cell.event {
      case .canSend: streams.canSend(on: id)
      case .abandon: streams.abandon(id)
      case .finish: streams.finish(id)
      }
    #expect("\(isDone ? "yes" : "no"),\(streams.count)" == cell.outcome)
  }

  // MARK: Streams that end before their handlers

  @Test func receiveOversized_whenRequest_usesItsID_andStartsNothing() {
    var streams = ServerStreams()
    _ = streams.receiveOversized(FrameEvent.requestOpen.header(on: id, length: 101), limit: 100)
    #expect(streams.count == 0)
    #expect(streams.receive(.request, on: id) == "invalid")
  }

  @Test func receiveOversized_reportsLengthAndLimit() {
    var streams = ServerStreams()
    let action = streams.receiveOversized(FrameEvent.request.header(on: id, length: 101), limit: 100)
    #expect(action == .reject(id, .messageTooLarge(101, limit: 100)))
  }

  @Test func receiveOversized_whenData_endsStream() {
    var streams = ServerStreamState.open.streams
    _ = streams.receiveOversized(FrameEvent.data.header(on: id, length: 101), limit: 100)
    expectAnswered(&streams)
  }

  @Test(arguments: [ServerStreamState.closed, .ended])
  func receive_whenDataFollowsLast_endsStream(state: ServerStreamState) {
    var streams = state.streams
    _ = streams.receive(.data, on: id)
    expectAnswered(&streams)
  }

  /// Expects that the call has ended with one response, and counts until its handler has finished.
  private func expectAnswered(_ streams: inout ServerStreams) {
    #expect(streams.canSend(on: id) == false)
    #expect(streams.receive(.data, on: id) == "ignore")
    #expect(streams.abandon(id) == false)
    #expect(streams.count == 1)
    #expect(streams.finish(id) == false)
    #expect(streams.count == 0)
  }

  // MARK: The limit

  @Test func isFull_whenAtLimit_isTrueUntilHandlerFinishes() {
    var streams = ServerStreams(limit: 2)
    _ = streams.receive(.request, on: StreamID(1))
    #expect(streams.isFull == false)
    _ = streams.receive(.request, on: StreamID(3))
    #expect(streams.isFull == true)
    _ = streams.abandon(StreamID(1))
    #expect(streams.isFull == true)
    _ = streams.finish(StreamID(1))
    #expect(streams.isFull == false)
  }

  @Test func defaultLimit_matchesProtocol() {
    #expect(ServerStreams.defaultLimit == 1024)
  }

  // MARK: Draining

  @Test func drain_whenCallIsInFlight_continuesIt() {
    var streams = ServerStreamState.open.streams
    streams.drain()
    #expect(streams.isDrained == false)
    #expect(streams.receive(.data, on: id) == "deliver")
    #expect(streams.isDrained == false)
    #expect(streams.finish(id) == true)
    #expect(streams.isDrained == true)
  }

  @Test func drain_rejectsNewRequests_exceptAvailableMethods() {
    var streams = ServerStreamState.open.streams
    #expect(streams.rejection(isAvailableDuringShutdown: false) == nil)
    streams.drain()
    #expect(streams.receive(.request, on: StreamID(7)) == "unary")
    #expect(streams.rejection(isAvailableDuringShutdown: false) == .shuttingDown)
    #expect(streams.rejection(isAvailableDuringShutdown: true) == nil)
  }

  @Test func isDrained_beforeDrain_isFalse() {
    var streams = ServerStreams()
    #expect(streams.isDrained == false)
    streams.drain()
    #expect(streams.isDrained == true)
  }

  @Test func drain_waitsForHandlersOfEndedStreams() {
    var streams = ServerStreamState.abandoned.streams
    streams.drain()
    #expect(streams.isDrained == false)
    _ = streams.finish(id)
    #expect(streams.isDrained == true)
  }
}
