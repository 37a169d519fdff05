import ToDoRPC
import ToDoTTRPC

/// The states of a server's stream. Each is reached as on a connection.
enum ServerStreamState: String, Name {
  /// Its ID is above all used IDs.
  case unopened
  /// Its ID is unused, and below a used ID.
  case skipped
  case unary
  /// The client has closed its side with the request.
  case closed
  case open
  /// The client has closed its side with its last data.
  case ended
  /// The call has ended, and its handler has not finished.
  case abandoned
  /// The call has ended, and its handler has finished.
  case finished
  /// The call has ended, and its handler has finished, before the client closed its side.
  case cutShort
  /// The server is draining, and rejects requests once their methods are known.
  case drained

  static let id = StreamID(5)

  var streams: ServerStreams {
    var streams = ServerStreams(limit: 10)
    reach(&streams)
    return streams
  }

  func reach(_ streams: inout ServerStreams) {
    func receive(_ event: FrameEvent, on id: StreamID = Self.id) { _ = streams.receive(event.header(on: id)) }
    switch self {
    case .unopened: receive(.request, on: StreamID(3))
    case .skipped: receive(.request, on: StreamID(7))
    case .unary: receive(.request)
    case .closed: receive(.requestClosed)
    case .open: receive(.requestOpen)
    case .ended:
      receive(.requestOpen)
      receive(.dataClosed)
    case .abandoned:
      receive(.requestOpen)
      _ = streams.abandon(Self.id)
    case .finished:
      receive(.requestClosed)
      _ = streams.finish(Self.id)
    case .cutShort:
      receive(.requestOpen)
      _ = streams.finish(Self.id)
    case .drained: streams.drain()
    }
  }

  /// The outcomes: a stream starts as `unary`, `closed` or `open`; its handler gets a message (`deliver`), its `last`
  /// message or the `end` of its input; `invalid` and `large` are errors; `…!` closes the connection.
  static let frames = EventTable<FrameEvent, ServerStreamState>(
    """
                   unopened  skipped   unary     closed    open      ended     abandoned finished  cutShort  drained
    request        unary     unary     reused!   reused!   reused!   reused!   invalid   invalid   invalid   unary
    request+RC     closed    closed    reused!   reused!   reused!   reused!   invalid   invalid   invalid   closed
    request+RO     open      open      reused!   reused!   reused!   reused!   invalid   invalid   invalid   open
    request+RC+RO  invalid   invalid   reused!   reused!   reused!   reused!   invalid   invalid   invalid   invalid
    request+ND     invalid   invalid   reused!   reused!   reused!   reused!   invalid   invalid   invalid   invalid
    data           invalid   invalid   unary!    invalid   deliver   invalid   ignore    invalid   ignore    invalid
    data+RC        invalid   invalid   unary!    invalid   last      invalid   ignore    invalid   ignore    invalid
    data+ND        invalid   invalid   unary!    invalid   ignore    invalid   ignore    invalid   ignore    invalid
    data+RC+ND     invalid   invalid   unary!    invalid   end       invalid   ignore    invalid   ignore    invalid
    data+RO+0x80   invalid   invalid   unary!    invalid   deliver   invalid   ignore    invalid   ignore    invalid
    response       response! response! response! response! response! response! response! response! response! response!
    response+RC    response! response! response! response! response! response! response! response! response! response!
    type0          ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore
    type4          ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore
    """)

  static let oversizedFrames = EventTable<FrameEvent, ServerStreamState>(
    """
                   unopened  skipped   unary     closed    open      ended     abandoned finished  cutShort  drained
    request        large     large     reused!   reused!   reused!   reused!   invalid   invalid   invalid   large
    request+RC     large     large     reused!   reused!   reused!   reused!   invalid   invalid   invalid   large
    request+RO     large     large     reused!   reused!   reused!   reused!   invalid   invalid   invalid   large
    request+RC+RO  invalid   invalid   reused!   reused!   reused!   reused!   invalid   invalid   invalid   invalid
    request+ND     invalid   invalid   reused!   reused!   reused!   reused!   invalid   invalid   invalid   invalid
    data           invalid   invalid   unary!    invalid   large     invalid   ignore    invalid   ignore    invalid
    data+RC        invalid   invalid   unary!    invalid   large     invalid   ignore    invalid   ignore    invalid
    data+ND        invalid   invalid   unary!    invalid   ignore    invalid   ignore    invalid   ignore    invalid
    data+RC+ND     invalid   invalid   unary!    invalid   end       invalid   ignore    invalid   ignore    invalid
    data+RO+0x80   invalid   invalid   unary!    invalid   large     invalid   ignore    invalid   ignore    invalid
    response       response! response! response! response! response! response! response! response! response! response!
    response+RC    response! response! response! response! response! response! response! response! response! response!
    type0          ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore
    type4          ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore    ignore
    """)

  /// The results of the handler's operations, with the number of handlers that have not finished afterwards.
  static let handlers = EventTable<HandlerEvent, ServerStreamState>(
    """
                   unopened  skipped   unary     closed    open      ended     abandoned finished  cutShort  drained
    canSend        no,1      no,1      yes,1     yes,1     yes,1     yes,1     no,1      no,0      no,0      no,0
    abandon        no,1      no,1      yes,1     yes,1     yes,1     yes,1     no,1      no,0      no,0      no,0
    finish         no,1      no,1      yes,0     yes,0     yes,0     yes,0     no,0      no,0      no,0      no,0
    """)
}

enum HandlerEvent: String, Name {
  case canSend, abandon, finish
}

extension ServerStreams.Action {
  /// The action in the notation of the tables.
  func word(on id: StreamID) -> String {
    switch self {
    case .start(id, let input): "\(input)"
    case .deliver(id, isLast: false): "deliver"
    case .deliver(id, isLast: true): "last"
    case .endInput(id): "end"
    case .reject(id, let error): Self.words[error.reason] ?? "\(error)"
    case .ignore: "ignore"
    case .close(.streamReused): "reused!"
    case .close(.dataOnUnaryStream): "unary!"
    case .close(.responseFromClient): "response!"
    default: "\(self)"
    }
  }

  private static let words = [
    "INVALID_STREAM": "invalid", "MESSAGE_TOO_LARGE": "large",
  ]
}

extension ServerStreams {
  /// Returns the action for a frame in the notation of the tables.
  mutating func receive(_ event: FrameEvent, on id: StreamID) -> String {
    receive(event.header(on: id)).word(on: id)
  }
}
