import Protobuf
package import RPC

/// The streams of one connection as its server sees them: which frames are right, and what to do about each.
///
/// A stream is one call. It is in one of three states until its handler has finished:
///
///     (none) --request--> running(input) --answered before its handler finished--> abandoned
///                            |                                                        |
///                            +---------------------- handler finished ----------------+--> (none)
///
/// The client closes its side with its request (unary, or the flag "remote closed") or with a last data frame. The
/// server closes its side with its answer, which ends the stream whatever the client still sends.
///
/// A connection has one of these, and a copy would cost more than what it is asked for each frame: so it cannot be copied.
package struct ServerStreams: ~Copyable {
  /// The client's side of a stream.
  package enum Input: Equatable, Sendable {
    /// A request without flags: exactly one message, and exactly one answer.
    case unary
    /// A stream whose client sends no more.
    case closed
    /// A stream whose client may send more messages.
    case open
  }

  private enum Stream: Equatable {
    case running(Input)
    /// Answered already, by a deadline or a cancellation; its handler has yet to finish. The client's side may be open.
    case abandoned(isOpen: Bool)
  }

  package enum Action: Equatable {
    /// Decode the envelope, ask for a `refusal`, and run the method.
    case start(StreamID, Input)
    /// Hand the frame's data to the stream's handler; after the last there is no more.
    case deliver(StreamID, isLast: Bool)
    /// Tell the stream's handler that its input has ended.
    case endInput(StreamID)
    /// Answer with an error on the stream, and cancel its handler if there is one.
    case reject(StreamID, RPCError)
    /// Do nothing: the frame is of no consequence.
    case ignore
    /// Close the connection: what the peer means cannot be known.
    case close(ProtocolViolation)
  }

  private var streams: [StreamID: Stream] = [:]
  private var usedIDs = UsedStreamIDs()
  /// Streams that are not open whose data was answered once. Each is a strike, which bounds them.
  private var refusedStreams: Set<StreamID> = []
  /// The last streams that ended before their clients had closed them: what still comes was sent in good faith.
  private var unclosedStreams: [StreamID] = []
  private var strikes = 0
  private var isDraining = false
  private let limit: Int
  private let strikeLimit: Int

  /// How many streams of one connection may be in flight unless a server is told otherwise.
  package static let defaultLimit = ServerLimits.defaultStreamLimit
  /// How many frames out of place end a connection unless a server is told otherwise.
  package static let defaultStrikeLimit = ServerLimits.defaultStrikeLimit
  /// How many streams are remembered as having ended before their clients had closed them.
  package static let unclosedStreamLimit = 32

  /// - Parameters:
  ///   - limit: how many streams may be in flight before `isFull`.
  ///   - strikeLimit: how many frames may be out of place before `hasReachedStrikeLimit`.
  package init(limit: Int = ServerStreams.defaultLimit, strikeLimit: Int = ServerStreams.defaultStrikeLimit) {
    self.limit = limit
    self.strikeLimit = strikeLimit
  }

  /// How many handlers have yet to finish.
  package var count: Int { streams.count }

  /// Whether to read no further until a handler has finished.
  package var isFull: Bool { streams.count >= limit }

  /// Whether the peer has sent so many frames out of place that it is not worth listening to.
  package var hasReachedStrikeLimit: Bool { strikes >= strikeLimit }

  /// Counts a frame that turned out to be wrong only when it was looked into.
  package mutating func strike() { strikes += 1 }

  /// Whether the connection can be closed without cutting off a call.
  package var isDrained: Bool { isDraining && streams.isEmpty }

  /// The streams whose handlers have yet to finish.
  package var ids: some Collection<StreamID> { streams.keys }

  /// Runs no more requests but those that say that they are answered all the same; those in flight go on.
  package mutating func drain() { isDraining = true }

  /// What to answer a request with that was started, once its method is known; `nil` to run it.
  package func refusal(isAvailableDuringShutdown: Bool) -> RPCError? {
    isDraining && !isAvailableDuringShutdown ? .shuttingDown : nil
  }

  // MARK: Frames

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

  /// A frame was too long to be kept: its stream, if it may be opened or is open, ends.
  package mutating func receiveOversized(_ header: FrameHeader, limit: Int) -> Action {
    switch receive(header) {
    case .start(let id, let input):
      streams[id] = nil
      if input == .open { rememberUnclosed(id) }
      return refuse(id, .messageTooLarge(header.length, limit: limit))
    case .deliver(let id, let isLast):
      streams[id] = .abandoned(isOpen: !isLast)
      return refuse(id, .messageTooLarge(header.length, limit: limit))
    case let action: return action
    }
  }

  private mutating func receiveRequest(_ header: FrameHeader) -> Action {
    let id = header.streamID
    guard id.isClientInitiated else { return refuse(id, .evenNumber) }
    guard usedIDs.claim(id) else {
      if case .running = streams[id] { return .close(.streamReused) }
      return refuse(id, .invalidStream("stream \(id) was used before, or is too far below \(usedIDs.highest)"))
    }
    let input: Input
    switch header.flags {
    case FrameFlags(): input = .unary
    case .remoteClosed: input = .closed
    case .remoteOpen: input = .open
    default: return refuse(id, .invalidStream("a request is either without flags, remote closed, or remote open"))
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
      // The answer ends the stream, whatever its handler does.
      streams[id] = .abandoned(isOpen: false)
      return refuseData(id, .invalidStream("the client has closed its side of stream \(id)"))
    // It was sent before its sender could know that the stream has ended.
    case .abandoned(let isOpen):
      if isOpen, header.flags.contains(.remoteClosed) { streams[id] = .abandoned(isOpen: false) }
      return .ignore
    case nil where unclosedStreams.contains(id): return .ignore
    case nil: return refuseData(id, id.isClientInitiated ? .invalidStream("stream \(id) is not open") : .evenNumber)
    }
  }

  private mutating func refuse(_ id: StreamID, _ error: RPCError) -> Action {
    strike()
    return .reject(id, error)
  }

  /// Answers stray data of a stream once, however much there is.
  private mutating func refuseData(_ id: StreamID, _ error: RPCError) -> Action {
    strike()
    return refusedStreams.insert(id).inserted ? .reject(id, error) : .ignore
  }

  // MARK: Handlers

  /// A call is answered before its handler has finished, by its deadline or its cancellation.
  ///
  /// - Returns: whether to answer; `false` when the call has ended already.
  package mutating func abandon(_ id: StreamID) -> Bool {
    guard case .running(let input) = streams[id] else { return false }
    streams[id] = .abandoned(isOpen: input == .open)
    return true
  }

  /// A handler has finished: its stream ends, and its place is free.
  ///
  /// - Returns: whether to send its answer; `false` when the call was answered before.
  package mutating func finish(_ id: StreamID) -> Bool {
    switch streams.removeValue(forKey: id) {
    case .running(let input):
      if input == .open { rememberUnclosed(id) }
      return true
    case .abandoned(let isOpen):
      if isOpen { rememberUnclosed(id) }
      return false
    case nil: return false
    }
  }

  private mutating func rememberUnclosed(_ id: StreamID) {
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

/// What a peer did that leaves no way to go on.
package enum ProtocolViolation: Error, Equatable, Sendable {
  case responseFromClient
  case requestFromServer
  case streamReused
  case dataOnUnaryStream
  case unopenedStream
}
