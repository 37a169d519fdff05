import RPC
import TTRPC
import Testing

struct ServerStreamsTests {
  private let id = ServerStreamState.id

  // MARK: Every event in every state

  @Test(arguments: ServerStreamState.frames.cells)
  func receive_anyFrameInAnyState_isActedOnAsTabled(_ cell: EventTable<FrameEvent, ServerStreamState>.Cell) {
    var streams = cell.state.streams
    #expect(streams.receive(cell.event.header(on: id)).word(on: id) == cell.outcome)
  }

  @Test(arguments: ServerStreamState.oversizedFrames.cells)
  func receiveOversized_anyFrameInAnyState_isActedOnAsTabled(_ cell: EventTable<FrameEvent, ServerStreamState>.Cell) {
    var streams = cell.state.streams
    let header = cell.event.header(on: id, length: 101)
    #expect(streams.receiveOversized(header, limit: 100).word(on: id) == cell.outcome)
  }

  @Test(arguments: ServerStreamState.handlers.cells)
  func handler_inAnyState_mayDoWhatIsTabled(_ cell: EventTable<HandlerEvent, ServerStreamState>.Cell) {
    var streams = cell.state.streams
    let isDone =
      switch cell.event {
      case .canSend: streams.canSend(on: id)
      case .abandon: streams.abandon(id)
      case .finish: streams.finish(id)
      }
    #expect("\(isDone ? "yes" : "no"),\(streams.count)" == cell.outcome)
  }

  // MARK: Stream numbers

  @Test(arguments: [[1, 3, 5], [1, 9, 11], [4_294_967_293, 4_294_967_295]])
  func receive_requestsWithGrowingNumbers_startThem(numbers: [UInt32]) {
    var streams = ServerStreams()
    let words = numbers.map { streams.receive(.request, on: StreamID($0)) }
    #expect(words == numbers.map { _ in "unary" })
    #expect(Set(streams.ids) == Set(numbers.map(StreamID.init)))
  }

  @Test(arguments: [[5, 3], [5, 1, 3], [1, 2001, 977], [4_294_967_295, 4_294_966_271]])
  func receive_requestsWithNumbersThatWereLeftOut_startThem(numbers: [UInt32]) {
    var streams = ServerStreams()
    #expect(numbers.map { streams.receive(.request, on: StreamID($0)) } == numbers.map { _ in "unary" })
  }

  @Test(arguments: [[1, 2001, 975], [1027, 1], [4_294_967_295, 1]])
  func receive_requestWithANumberFarBelow_isRejected(numbers: [UInt32]) {
    var streams = ServerStreams()
    let words = numbers.map { streams.receive(.request, on: StreamID($0)) }
    #expect(words == numbers.dropLast().map { _ in "unary" } + ["invalid"])
  }

  @Test(arguments: [[1, 3, 5], [1, 1001, 1003], [1, 2047, 2049], [2047, 2049, 4095], [1, 99_999, 4_294_967_295]])
  func receive_requestWithANumberThatWasUsed_isRejected(numbers: [UInt32]) {
    var streams = ServerStreams()
    for number in numbers {
      #expect(streams.receive(.request, on: StreamID(number)) == "unary")
      _ = streams.finish(StreamID(number))
      #expect(streams.receive(.request, on: StreamID(number)) == "invalid")
    }
    for number in numbers { #expect(streams.receive(.request, on: StreamID(number)) == "invalid") }
    #expect(streams.count == 0)
  }

  @Test func receive_requestsInAnyOrderWithinReach_startEachOnce() {
    var streams = ServerStreams(limit: .max, strikeLimit: .max)
    var generator = SystemRandomNumberGenerator()
    for block in 0..<8 {
      let numbers = (0..<512).map { StreamID(UInt32(block * 1024 + 2 * $0 + 1)) }.shuffled(using: &generator)
      var words: Set<String> = []
      for number in numbers {
        words.insert(streams.receive(.request, on: number))
        _ = streams.finish(number)
      }
      #expect(words == ["unary"])
      words = []
      for number in numbers.shuffled(using: &generator) { words.insert(streams.receive(.request, on: number)) }
      #expect(words == ["invalid"])
    }
  }

  // MARK: Strikes

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
  func receive_strayData_isAnsweredOnce(number: UInt32) {
    var streams = ServerStreamState.unopened.streams
    let words = (0..<3).map { _ in streams.receive(.data, on: StreamID(number)) }
    #expect(words == ["invalid", "ignore", "ignore"])
  }

  @Test func receive_dataAfterTheLast_isAnsweredOnce_alsoWhenItsHandlerHasFinished() {
    var streams = ServerStreamState.closed.streams
    #expect(streams.receive(.data, on: id) == "invalid")
    #expect(streams.receive(.data, on: id) == "ignore")
    _ = streams.finish(id)
    #expect(streams.receive(.data, on: id) == "ignore")
  }

  @Test(arguments: [ServerStreamState.open, .abandoned])
  func receive_dataThatWasSentBeforeTheEnd_isIgnored_onTheLastStreams(state: ServerStreamState) {
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

  @Test func receive_dataAfterAnOversizedRequest_isIgnored() {
    var streams = ServerStreams(strikeLimit: 2)
    _ = streams.receiveOversized(FrameEvent.requestOpen.header(on: id, length: 101), limit: 100)
    for _ in 0..<10 { #expect(streams.receive(.data, on: id) == "ignore") }
    #expect(streams.hasReachedStrikeLimit == false)
  }

  @Test(arguments: [0, 2, 4_294_967_294], [FrameEvent.request, .requestOpen, .data, .dataClosed])
  func receive_frameWithEvenID_isRejected(number: UInt32, event: FrameEvent) {
    var streams = ServerStreams()
    #expect(streams.receive(event, on: StreamID(number)) == "invalid")
    #expect(streams.count == 0)
    #expect(streams.receive(.request, on: StreamID(1)) == "unary")
  }

  @Test(arguments: [FrameEvent.requestClosedOpen, .requestNoData])
  func receive_requestThatIsRejected_usesItsNumberUp(event: FrameEvent) {
    var streams = ServerStreams()
    _ = streams.receive(event, on: id)
    #expect(streams.count == 0)
    #expect(streams.receive(.request, on: id) == "invalid")
  }

  // MARK: Streams that end before their handlers

  @Test func receiveOversized_request_usesItsNumberUp_andStartsNothing() {
    var streams = ServerStreams()
    _ = streams.receiveOversized(FrameEvent.requestOpen.header(on: id, length: 101), limit: 100)
    #expect(streams.count == 0)
    #expect(streams.receive(.request, on: id) == "invalid")
  }

  @Test func receiveOversized_tellsTheLengthAndTheLimit() {
    var streams = ServerStreams()
    let action = streams.receiveOversized(FrameEvent.request.header(on: id, length: 101), limit: 100)
    #expect(action == .reject(id, .messageTooLarge(101, limit: 100)))
  }

  @Test func receiveOversized_data_endsItsStream() {
    var streams = ServerStreamState.open.streams
    _ = streams.receiveOversized(FrameEvent.data.header(on: id, length: 101), limit: 100)
    expectAnswered(&streams)
  }

  @Test(arguments: [ServerStreamState.closed, .ended])
  func receive_dataAfterTheLast_endsItsStream(state: ServerStreamState) {
    var streams = state.streams
    _ = streams.receive(.data, on: id)
    expectAnswered(&streams)
  }

  /// The stream has been answered: nothing is answered twice, and its handler's place is kept until it has finished.
  private func expectAnswered(_ streams: inout ServerStreams) {
    #expect(streams.canSend(on: id) == false)
    #expect(streams.receive(.data, on: id) == "ignore")
    #expect(streams.abandon(id) == false)
    #expect(streams.count == 1)
    #expect(streams.finish(id) == false)
    #expect(streams.count == 0)
  }

  // MARK: The limit

  @Test func isFull_atTheLimit_untilAHandlerHasFinished() {
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

  @Test func defaultLimit_isThatOfTheProtocol() {
    #expect(ServerStreams.defaultLimit == 1024)
  }

  // MARK: Draining

  @Test func drain_letsWhatIsInFlightGoOn() {
    var streams = ServerStreamState.open.streams
    streams.drain()
    #expect(streams.isDrained == false)
    #expect(streams.receive(.data, on: id) == "deliver")
    #expect(streams.isDrained == false)
    #expect(streams.finish(id) == true)
    #expect(streams.isDrained == true)
  }

  @Test func drain_refusesWhatStarts_butForWhatIsAnsweredAllTheSame() {
    var streams = ServerStreamState.open.streams
    #expect(streams.refusal(isAvailableDuringShutdown: false) == nil)
    streams.drain()
    #expect(streams.receive(.request, on: StreamID(7)) == "unary")
    #expect(streams.refusal(isAvailableDuringShutdown: false) == .shuttingDown)
    #expect(streams.refusal(isAvailableDuringShutdown: true) == nil)
  }

  @Test func isDrained_onlyAfterDrain() {
    var streams = ServerStreams()
    #expect(streams.isDrained == false)
    streams.drain()
    #expect(streams.isDrained == true)
  }

  @Test func drain_waitsForTheHandlersOfAnsweredStreams() {
    var streams = ServerStreamState.abandoned.streams
    streams.drain()
    #expect(streams.isDrained == false)
    _ = streams.finish(id)
    #expect(streams.isDrained == true)
  }
}

extension ServerStreams {
  /// The action in the words of the tables.
  fileprivate mutating func receive(_ event: FrameEvent, on id: StreamID) -> String {
    receive(event.header(on: id)).word(on: id)
  }
}
