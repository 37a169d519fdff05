import ToDoRPC
import ToDoTTRPC

/// The states of a client's stream. Each is reached as on a connection.
enum ClientStreamState: String, Name {
  /// Its ID is the next to be allocated.
  case unopened
  case unary
  /// Its client sends one message and receives any number.
  case incoming
  /// Both sides send.
  case twoWay
  /// The server still sends; its client has sent its last message.
  case closed
  case answered
  /// The server has sent its last data.
  case ended
  /// Its caller no longer waits.
  case forgotten

  static let id = StreamID(5)

  var streams: ClientStreams {
    var streams = ClientStreams(firstID: Self.id.rawValue)
    switch self {
    case .unopened: break
    case .unary: _ = streams.open(.unary)
    case .incoming: _ = streams.open(.serverStreaming)
    case .twoWay: _ = streams.open(.streaming)
    case .closed:
      _ = streams.open(.streaming)
      _ = streams.send(on: Self.id, isLast: true)
    case .answered:
      _ = streams.open(.unary)
      _ = streams.receive(FrameEvent.response.header(on: Self.id))
    case .ended:
      _ = streams.open(.streaming)
      _ = streams.receive(FrameEvent.dataClosed.header(on: Self.id))
    case .forgotten:
      _ = streams.open(.serverStreaming)
      _ = streams.forget(Self.id)
    }
    return streams
  }

  /// The outcomes: a caller gets the `answer`, a message (`deliver`), its `last` message or the `end` of its stream;
  /// `…!` closes the connection. The number is that of the streams that are open afterwards.
  static let frames = EventTable<FrameEvent, ClientStreamState>(
    """
                   unopened    unary       incoming    twoWay      closed      answered    ended       forgotten
    request        request!,0  request!,1  request!,1  request!,1  request!,1  request!,0  request!,0  request!,0
    request+RC     request!,0  request!,1  request!,1  request!,1  request!,1  request!,0  request!,0  request!,0
    request+RO     request!,0  request!,1  request!,1  request!,1  request!,1  request!,0  request!,0  request!,0
    request+RC+RO  request!,0  request!,1  request!,1  request!,1  request!,1  request!,0  request!,0  request!,0
    request+ND     request!,0  request!,1  request!,1  request!,1  request!,1  request!,0  request!,0  request!,0
    data           unopened!,0 unary!,1    deliver,1   deliver,1   deliver,1   ignore,0    ignore,0    ignore,0
    data+RC        unopened!,0 unary!,1    last,0      last,0      last,0      ignore,0    ignore,0    ignore,0
    data+ND        unopened!,0 unary!,1    ignore,1    ignore,1    ignore,1    ignore,0    ignore,0    ignore,0
    data+RC+ND     unopened!,0 unary!,1    end,0       end,0       end,0       ignore,0    ignore,0    ignore,0
    data+RO+0x80   unopened!,0 unary!,1    deliver,1   deliver,1   deliver,1   ignore,0    ignore,0    ignore,0
    response       unopened!,0 answer,0    answer,0    answer,0    answer,0    ignore,0    ignore,0    ignore,0
    response+RC    unopened!,0 answer,0    answer,0    answer,0    answer,0    ignore,0    ignore,0    ignore,0
    type0          ignore,0    ignore,1    ignore,1    ignore,1    ignore,1    ignore,0    ignore,0    ignore,0
    type4          ignore,0    ignore,1    ignore,1    ignore,1    ignore,1    ignore,0    ignore,0    ignore,0
    """)

  /// The results of the caller's operations, with the number of streams that are open afterwards.
  static let callers = EventTable<CallerEvent, ClientStreamState>(
    """
                   unopened    unary       incoming    twoWay      closed      answered    ended       forgotten
    send           no,0        no,1        no,1        yes,1       no,1        no,0        no,0        no,0
    sendLast       no,0        no,1        no,1        yes,1       no,1        no,0        no,0        no,0
    forget         no,0        yes,0       yes,0       yes,0       yes,0       no,0        no,0        no,0
    """)
}

enum CallerEvent: String, Name {
  case send, sendLast, forget
}

extension ClientStreams.Action {
  /// The action in the notation of the tables.
  func word(on id: StreamID) -> String {
    switch self {
    case .finish(id): "answer"
    case .deliver(id, isLast: false): "deliver"
    case .deliver(id, isLast: true): "last"
    case .end(id): "end"
    case .ignore: "ignore"
    case .close(.requestFromServer): "request!"
    case .close(.unopenedStream): "unopened!"
    case .close(.dataOnUnaryStream): "unary!"
    default: "\(self)"
    }
  }
}
