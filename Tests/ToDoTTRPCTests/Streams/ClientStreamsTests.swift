import Testing
import ToDoRPC
import ToDoTTRPC

struct ClientStreamsTests {
  private let id = ClientStreamState.id

  // MARK: Every event in every state

  @Test(arguments: ClientStreamState.frames.cells)
  func receive_anyFrameInAnyState_matchesTable(_ cell: EventTable<FrameEvent, ClientStreamState>.Cell) {
    var streams = cell.state.streams
    let action = streams.receive(cell.event.header(on: id))
    #expect("\(action.word(on: id)),\(streams.count)" == cell.outcome)
  }

  @Test(arguments: ClientStreamState.callers.cells)
  func caller_inAnyState_matchesTable(_ cell: EventTable<CallerEvent, ClientStreamState>.Cell) {
    var streams = cell.state.streams
    let isDone =
      switch cell.event {
      case .send: streams.send(on: id, isLast: false)
      case .sendLast: streams.send(on: id, isLast: true)
      case .forget: streams.forget(id)
      }
    #expect("\(isDone ? "yes" : "no"),\(streams.count)" == cell.outcome)
  }

  // MARK: Opening

  @Test(arguments: [
    (ClientStreams.Kind.unary, FrameFlags()), (.serverStreaming, .remoteClosed), (.streaming, .remoteOpen),
  ])
  func requestFlags_matchKind(kind: ClientStreams.Kind, flags: FrameFlags) {
    #expect(kind.requestFlags == flags)
  }

  @Test func open_returnsAscendingOddIDs() {
    var streams = ClientStreams()
    let numbers = [ClientStreams.Kind.unary, .serverStreaming, .streaming].map { streams.open($0)?.rawValue }
    #expect(numbers == [1, 3, 5])
  }

  @Test func open_afterResponse_doesNotReuseID() {
    var streams = ClientStreamState.answered.streams
    #expect(streams.open(.unary) == StreamID(7))
  }

  @Test func open_whenIDsAreExhausted_isNil() {
    var streams = ClientStreams(firstID: .max - 4)
    #expect(streams.open(.unary) == StreamID(.max - 4))
    #expect(streams.open(.unary) == StreamID(.max - 2))
    #expect(streams.open(.unary) == nil)
    #expect(streams.count == 2)
  }

  // MARK: Several streams

  @Test func receive_whenResponsesAreReordered_finishesEachCall() {
    var streams = ClientStreams()
    let ids = (0..<3).compactMap { _ in streams.open(.unary) }
    for id in ids.reversed() {
      #expect(streams.receive(FrameEvent.response.header(on: id)) == .finish(id))
    }
    #expect(streams.count == 0)
  }

  @Test(arguments: [0, 2, 6], [FrameEvent.response, .data])
  func receive_whenIDIsEven_closesConnection(number: UInt32, event: FrameEvent) {
    var streams = ClientStreamState.unary.streams
    #expect(streams.receive(event.header(on: StreamID(number))) == .close(.unopenedStream))
  }

  @Test(arguments: [false, true])
  func send_whenLast_keepsServerSideOpen(isLast: Bool) {
    var streams = ClientStreamState.twoWay.streams
    _ = streams.send(on: id, isLast: isLast)
    #expect(streams.receive(FrameEvent.data.header(on: id)) == .deliver(id, isLast: false))
  }

  @Test func send_afterMessageThatWasNotLast_isAllowed() {
    var streams = ClientStreamState.twoWay.streams
    _ = streams.send(on: id, isLast: false)
    #expect(streams.send(on: id, isLast: true) == true)
  }
}
