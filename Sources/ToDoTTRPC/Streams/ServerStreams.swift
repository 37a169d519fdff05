package import ToDoRPC

/// The server's state machine for the streams of one connection. It validates frames and determines the action for each.
///
/// A stream is one call. It is in one of three states until its handler has finished:
///
///     (none) --request--> running(input) --ended before its handler finished-----> abandoned
///                            |                                                        |
///                            +---------------------- handler finished ----------------+--> (none)
///
/// The client closes its side with its request (unary, or the flag "remote closed") or with a last data frame. The
/// server closes its side with its response, which ends the stream even if the client sends more.
///
/// The type is noncopyable because a copy would cost more than handling a frame.
package struct ServerStreams: ~Copyable {
  /// The client's side of a stream.
  package enum Input: Equatable, Sendable {
    /// A request without flags: exactly one message, and exactly one response.
    case unary
    /// A stream whose client has closed its side.
    case closed
    /// A stream whose client may send more messages.
    case open
  }

  private enum Stream: Equatable {
    case running(Input)
    /// Ended by a deadline or a cancellation. The handler has not finished, and the client's side may be open.
    case abandoned(isOpen: Bool)
  }

  /// The reaction to a frame.
  package enum Action: Equatable {
    /// Decode the envelope, check `rejection(isAvailableDuringShutdown:)`, and run the method.
    case start(StreamID, Input)
    /// Deliver the frame's data to the stream's handler. No data follows the last.
    case deliver(StreamID, isLast: Bool)
    /// End the input of the stream's handler.
    case endInput(StreamID)
    /// Send an error on the stream, and cancel its handler if there is one.
    case reject(StreamID, RPCError)
    /// Discard the frame.
    case ignore
    /// Close the connection, because its state is undefined.
    case close(ProtocolViolation)
  }

  private var streams: [StreamID: Stream] = [:]
  private var usedIDs = UsedStreamIDs()
  /// The streams that are not open and whose data was rejected once. Each is a strike, which limits their number.
  private var rejectedStreams: Set<StreamID> = []
  /// The last streams that ended before the client closed its side. The client may send more before it learns of the end.
  private var unclosedStreams: [StreamID] = []
  private var strikes = 0
  private var isDraining = false
  private let limit: Int
  private let strikeLimit: Int

  /// The default maximum number of streams in flight on one connection.
  package static let defaultLimit = ServerLimits.defaultStreamLimit
  /// The default number of protocol violations that end a connection.
  package static let defaultStrikeLimit = ServerLimits.defaultStrikeLimit
  /// The maximum number of `unclosedStreams`.
  package static let unclosedStreamLimit = 32

  /// Creates the state of a new connection.
  ///
  /// - Parameters:
  ///   - limit: the number of streams in flight at which `isFull` is true.
  ///   - strikeLimit: the number of protocol violations at which `hasReachedStrikeLimit` is true.
  package init(limit: Int = ServerStreams.defaultLimit, strikeLimit: Int = ServerStreams.defaultStrikeLimit) {
    self.limit = limit
    self.strikeLimit = strikeLimit
  }

  /// The number of handlers that have not finished.
  package var count: Int { streams.count }

  /// Whether the connection should pause reading until a handler has finished.
  package var isFull: Bool { streams.count >= limit }

  /// Whether the peer has committed so many protocol violations that its connection should be closed.
  package var hasReachedStrikeLimit: Bool { strikes >= strikeLimit }

  /// Counts a protocol violation that was found outside this type, for example in an envelope.
  package mutating func strike() { strikes += 1 }

  /// Whether the connection is draining and has no call in flight.
  package var isDrained: Bool { isDraining && streams.isEmpty }

  /// The streams whose handlers have not finished.
  package var ids: some Collection<StreamID> { streams.keys }

  /// Starts draining: rejects further requests, except for methods that are available during shutdown. Calls in flight
  /// continue.
  package mutating func drain() { isDraining = true }

  /// Returns the error with which to reject a started request once its method is known, or `nil` to run it.
  package func rejection(isAvailableDuringShutdown: Bool) -> RPCError? {
    isDraining && !isAvailableDuringShutdown ? .shuttingDown : nil
  }

  // MARK: Frames

  /// Returns the action for a frame of the client.
  package mutating func receive(_ header: FrameHeader) -> Action {
    switch header.type {
    case .request: return receiveRequest(header)
    case .data: return receiveData(header)
    case .response: return .close(.responseFromClient)
    default:
      strike()
      return .ignore
    }
  }

  /// Returns the action for a frame whose data exceeds the limit and was discarded. The frame ends the stream that it
  /// opens or belongs to.
  package mutating func receiveOversized(_ header: FrameHeader, limit: Int) -> Action {
    switch receive(header) {
    case .start(let id, let input):
      streams[id] = nil
      if input == .open { recordUnclosed(id) }
      return reject(id, .messageTooLarge(header.length, limit: limit))
    case .deliver(let id, let isLast):
      streams[id] = .abandoned(isOpen: !isLast)
      return reject(id, .messageTooLarge(header.length, limit: limit))
    case let action: return action
    }
  }

  private mutating func receiveRequest(_ header: FrameHeader) -> Action {
    let id = header.streamID
    guard id.isClientInitiated else { return reject(id, .evenNumber) }
    guard usedIDs.claim(id) else {
      if case .running = streams[id] { return .close(.streamReused) }
      return reject(id, .invalidStream("stream \(id) was used before, or is too far below \(usedIDs.highest)"))
    }
    let input: Input
    switch header.flags {
    case FrameFlags(): input = .unary
    case .remoteClosed: input = .closed
    case .remoteOpen: input = .open
    default: return reject(id, .invalidStream("a request is either without flags, remote closed, or remote open"))
    }
    streams[id] = .running(input)
    return .start(id, input)
  }

  private mutating func receiveData(_ header: FrameHeader) -> Action {
    let id = header.streamID
    switch streams[id] {
    case .running(.open):
      let isLast = header.flags.contains(.remoteClosed)
      if isLast { streams[id] = .running(.closed) }
      guard header.flags.contains(.noData) else { return .deliver(id, isLast: isLast) }
      return isLast ? .endInput(id) : .ignore
    case .running(.unary): return .close(.dataOnUnaryStream)
    case .running(.closed):
      // The error ends the stream. Its handler is still running.
      streams[id] = .abandoned(isOpen: false)
      return rejectData(id, .invalidStream("the client has closed its side of stream \(id)"))
    // The client sent the data before it learned that the stream has ended.
    case .abandoned(let isOpen):
      if isOpen, header.flags.contains(.remoteClosed) { streams[id] = .abandoned(isOpen: false) }
      return .ignore
    case nil where unclosedStreams.contains(id): return .ignore
    case nil: return rejectData(id, id.isClientInitiated ? .invalidStream("stream \(id) is not open") : .evenNumber)
    }
  }

  private mutating func reject(_ id: StreamID, _ error: RPCError) -> Action {
    strike()
    return .reject(id, error)
  }

  /// Rejects a stream's stray data once, and ignores its further data.
  private mutating func rejectData(_ id: StreamID, _ error: RPCError) -> Action {
    strike()
    return rejectedStreams.insert(id).inserted ? .reject(id, error) : .ignore
  }

  // MARK: Handlers

  /// Ends a call before its handler has finished, because of its deadline or its cancellation.
  ///
  /// - Returns: whether to send the error; `false` if the call has already ended.
  package mutating func abandon(_ id: StreamID) -> Bool {
    guard case .running(let input) = streams[id] else { return false }
    streams[id] = .abandoned(isOpen: input == .open)
    return true
  }

  /// Ends the stream of a handler that has finished.
  ///
  /// - Returns: whether to send the response; `false` if the call has already ended.
  package mutating func finish(_ id: StreamID) -> Bool {
    switch streams.removeValue(forKey: id) {
    case .running(let input):
      if input == .open { recordUnclosed(id) }
      return true
    case .abandoned(let isOpen):
      if isOpen { recordUnclosed(id) }
      return false
    case nil: return false
    }
  }

  private mutating func recordUnclosed(_ id: StreamID) {
    if unclosedStreams.count == Self.unclosedStreamLimit { unclosedStreams.removeFirst() }
    unclosedStreams.append(id)
  }

  /// Whether a handler may send a message on its stream.
  package func canSend(on id: StreamID) -> Bool {
    guard case .running = streams[id] else { return false }
    return true
  }
}

extension RPCError {
  fileprivate static let evenNumber = invalidStream("a stream that a client opens has an odd number")
}

/// A protocol violation after which the connection's state is undefined.
package enum ProtocolViolation: Error, Equatable, Sendable {
  /// A client sent a response.
  case responseFromClient
  /// A server sent a request.
  case requestFromServer
  /// A client sent a request on a stream that is in flight.
  case streamReused
  /// The peer sent data on the stream of a unary call.
  case dataOnUnaryStream
  /// A server sent a frame on a stream that the client has not opened.
  case unopenedStream
}
