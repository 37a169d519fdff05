import ToDoRPC

/// The client's state machine for the streams of one connection. It allocates stream IDs, validates frames, and
/// determines the action for each.
///
///     (none) --open--> awaiting --response, or the last data--> (none)
///                         |
///                         +-- discarded by its caller (deadline, cancellation) --> (none); late frames are ignored
package struct ClientStreams {
  /// The kind of a call.
  package enum Kind: Equatable, Sendable {
    /// One request, one response.
    case unary
    /// One request, any number of responses.
    case serverStreaming
    /// Any number of requests and responses.
    case streaming

    /// The flags of the frame that opens the call.
    package var requestFlags: FrameFlags {
      switch self {
      case .unary: []
      case .serverStreaming: .remoteClosed
      case .streaming: .remoteOpen
      }
    }
  }

  private enum Stream: Equatable {
    case unary
    case streaming(outputIsOpen: Bool)
  }

  /// The reaction to a frame.
  package enum Action: Equatable {
    /// Decode the response. The call has ended.
    case finish(StreamID)
    /// Deliver the data to the caller. The call ends after the last data.
    case deliver(StreamID, isLast: Bool)
    /// End the call successfully. The frame contains no message.
    case end(StreamID)
    /// Discard the frame. Its caller no longer waits.
    case ignore
    /// Close the connection, because its state is undefined.
    case close(ProtocolViolation)
  }

  private var streams: [StreamID: Stream] = [:]
  private var nextID: UInt32

  /// Creates the state of a new connection.
  ///
  /// - Parameter firstID: the ID of the first stream, which is odd.
  package init(firstID: UInt32 = 1) {
    nextID = firstID
  }

  /// The number of open streams.
  package var count: Int { streams.count }

  /// Allocates the ID of a new stream. Its request must be the next frame that is written.
  ///
  /// - Returns: `nil` if all IDs have been used. The connection cannot make further calls.
  package mutating func open(_ kind: Kind) -> StreamID? {
    guard nextID < UInt32.max else { return nil }
    let id = StreamID(nextID)
    nextID += 2
    streams[id] = kind == .unary ? .unary : .streaming(outputIsOpen: kind == .streaming)
    return id
  }

  /// Discards a stream whose caller no longer waits. Later frames of the stream are ignored.
  ///
  /// - Returns: whether the stream was open.
  package mutating func forget(_ id: StreamID) -> Bool {
    streams.removeValue(forKey: id) != nil
  }

  /// Records that the caller sends a message.
  ///
  /// - Parameter isLast: whether the message ends the client's side of the stream.
  /// - Returns: whether the stream permits the message.
  package mutating func send(on id: StreamID, isLast: Bool) -> Bool {
    guard streams[id] == .streaming(outputIsOpen: true) else { return false }
    if isLast { streams[id] = .streaming(outputIsOpen: false) }
    return true
  }

  /// Returns the action for a frame of the server.
  package mutating func receive(_ header: FrameHeader) -> Action {
    let id = header.streamID
    switch header.type {
    case .request: return .close(.requestFromServer)
    case .response, .data: break
    default: return .ignore
    }
    guard let stream = streams[id] else {
      return id.isClientInitiated && id.rawValue < nextID ? .ignore : .close(.unopenedStream)
    }
    if header.type == .response {
      streams[id] = nil
      return .finish(id)
    }
    guard case .streaming = stream else { return .close(.dataOnUnaryStream) }
    let isLast = header.flags.contains(.remoteClosed)
    if isLast { streams[id] = nil }
    guard header.flags.contains(.noData) else { return .deliver(id, isLast: isLast) }
    return isLast ? .end(id) : .ignore
  }
}
