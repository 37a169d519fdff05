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
package struct ServerStreams {
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
    /// Answered already, by a deadline or a cancellation; its handler has yet to finish.
    case abandoned
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
  private var highestID = StreamID(0)
  private var isDraining = false
  private let limit: Int

  /// How many streams of one connection may be in flight unless a server is told otherwise.
  package static let defaultLimit = 1024

  /// - Parameter limit: how many streams may be in flight before `isFull`.
  package init(limit: Int = ServerStreams.defaultLimit) {
    self.limit = limit
  }

  /// How many handlers have yet to finish.
  package var count: Int { streams.count }

  /// Whether to read no further until a handler has finished.
  package var isFull: Bool { streams.count >= limit }

  /// Whether the connection can be closed without cutting off a call.
  package var isDrained: Bool { isDraining && streams.isEmpty }

  /// The streams whose handlers have yet to finish.
  package var ids: some Collection<StreamID> { streams.keys }

  /// Runs no more requests but those that say that they are answered all the same; those in flight go on.
  package mutating func drain() { isDraining = true }

  /// What to answer a request with that was started, once its method is known; `nil` to run it.
  package func refusal(isAnsweredWhileDraining: Bool) -> RPCError? {
    isDraining && !isAnsweredWhileDraining ? .shuttingDown : nil
  }

  // MARK: Frames

  package mutating func receive(_ header: FrameHeader) -> Action {
    switch header.type {
    case .request, .data:
      guard header.streamID.isClientInitiated else {
        return .reject(header.streamID, .invalidStream("a stream that a client opens has an odd number"))
      }
      return header.type == .request ? receiveRequest(header) : receiveData(header)
    case .response: return .close(.responseFromClient)
    default: return .ignore
    }
  }

  /// A frame was too long to be kept: its stream, if it may be opened or is open, ends.
  package mutating func receiveOversized(_ header: FrameHeader, limit: Int) -> Action {
    switch receive(header) {
    case .start(let id, _):
      streams[id] = nil
      return .reject(id, .messageTooLarge(header.length, limit: limit))
    case .deliver(let id, _):
      streams[id] = .abandoned
      return .reject(id, .messageTooLarge(header.length, limit: limit))
    case let action: return action
    }
  }

  private mutating func receiveRequest(_ header: FrameHeader) -> Action {
    let id = header.streamID
    guard id > highestID else {
      if case .running = streams[id] { return .close(.streamReused) }
      return .reject(id, .invalidStream("stream numbers must grow; \(id) is not above \(highestID)"))
    }
    highestID = id
    let input: Input
    switch header.flags {
    case []: input = .unary
    case .remoteClosed: input = .closed
    case .remoteOpen: input = .open
    default: return .reject(id, .invalidStream("a request is either without flags, remote closed, or remote open"))
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
      streams[id] = .abandoned
      return .reject(id, .invalidStream("the client has closed its side of stream \(id)"))
    // It was sent before its sender could know that the stream has ended.
    case .abandoned: return .ignore
    case nil: return .reject(id, .invalidStream("stream \(id) is not open"))
    }
  }

  // MARK: Handlers

  /// A call is answered before its handler has finished, by its deadline or its cancellation.
  ///
  /// - Returns: whether to answer; `false` when the call has ended already.
  package mutating func abandon(_ id: StreamID) -> Bool {
    guard case .running = streams[id] else { return false }
    streams[id] = .abandoned
    return true
  }

  /// A handler has finished: its stream ends, and its place is free.
  ///
  /// - Returns: whether to send its answer; `false` when the call was answered before.
  package mutating func finish(_ id: StreamID) -> Bool {
    guard case .running = streams.removeValue(forKey: id) else { return false }
    return true
  }

  /// Whether a handler may send a message on its stream.
  package func canSend(on id: StreamID) -> Bool {
    guard case .running = streams[id] else { return false }
    return true
  }
}

/// What a peer did that leaves no way to go on.
package enum ProtocolViolation: Error, Equatable, Sendable {
  case responseFromClient
  case requestFromServer
  case streamReused
  case dataOnUnaryStream
  case unopenedStream
}
