import Testing
import ToDoRPC
import ToDoTTRPC

/// The stream IDs that `ServerStreams` accepts.
struct ServerStreamIDTests {
  private let id = ServerStreamState.id

  @Test(arguments: [[1, 3, 5], [1, 9, 11], [4_294_967_293, 4_294_967_295]])
  func receive_whenIDsAscend_startsRequests(numbers: [UInt32]) {
    var streams = ServerStreams()
    let words = numbers.map { streams.receive(.request, on: StreamID($0)) }
    #expect(words == numbers.map { _ in "unary" })
    #expect(Set(streams.ids) == Set(numbers.map(StreamID.init)))
  }

  @Test(arguments: [[5, 3], [5, 1, 3], [1, 2001, 977], [4_294_967_295, 4_294_966_271]])
  func receive_whenIDsWereSkipped_startsRequests(numbers: [UInt32]) {
    var streams = ServerStreams()
    #expect(numbers.map { streams.receive(.request, on: StreamID($0)) } == numbers.map { _ in "unary" })
  }

  @Test(arguments: [[1, 2001, 975], [1027, 1], [4_294_967_295, 1]])
  func receive_whenIDIsBelowReorderWindow_rejectsRequest(numbers: [UInt32]) {
    var streams = ServerStreams()
    let words = numbers.map { streams.receive(.request, on: StreamID($0)) }
    #expect(words == numbers.dropLast().map { _ in "unary" } + ["invalid"])
  }

  @Test(arguments: [[1, 3, 5], [1, 1001, 1003], [1, 2047, 2049], [2047, 2049, 4095], [1, 99_999, 4_294_967_295]])
  func receive_whenIDWasUsed_rejectsRequest(numbers: [UInt32]) {
    var streams = ServerStreams()
    for number in numbers {
      #expect(streams.receive(.request, on: StreamID(number)) == "unary")
      _ = streams.finish(StreamID(number))
      #expect(streams.receive(.request, on: StreamID(number)) == "invalid")
    }
    for number in numbers { #expect(streams.receive(.request, on: StreamID(number)) == "invalid") }
    #expect(streams.count == 0)
  }

  @Test func receive_whenIDsAreReorderedWithinWindow_startsEachOnce() {
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

  @Test(arguments: [0, 2, 4_294_967_294], [FrameEvent.request, .requestOpen, .data, .dataClosed])
  func receive_whenIDIsEven_rejectsFrame(number: UInt32, event: FrameEvent) {
    var streams = ServerStreams()
    #expect(streams.receive(event, on: StreamID(number)) == "invalid")
    #expect(streams.count == 0)
    #expect(streams.receive(.request, on: StreamID(1)) == "unary")
  }

  @Test(arguments: [FrameEvent.requestClosedOpen, .requestNoData])
  func receive_whenRequestIsRejected_usesItsID(event: FrameEvent) {
    var streams = ServerStreams()
    _ = streams.receive(event, on: id)
    #expect(streams.count == 0)
    #expect(streams.receive(.request, on: id) == "invalid")
  }
}
