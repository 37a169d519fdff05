package import RPC

/// The streams of one connection as its client sees them: their numbers, which frames are right, and what to do about
/// each.
///
///     (none) --open--> awaiting --response, or the last data--> (none)
///                         |
///                         +-- forgotten by its caller (deadline, cancellation) --> (none); late frames are ignored
package struct ClientStreams {
  /// How a call is opened.
  package enum Kind: Equatable, Sendable {
    /// One message out, one answer.
    case unary
    /// One message out, any number of messages in.
    case serverStreaming
    /// Any number of messages out and in.
    case streaming

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

  package enum Action: Equatable {
    /// The call has ended: decode the response.
    case finish(StreamID)
    /// Hand the data to the caller; after the last there is no more.
    case deliver(StreamID, isLast: Bool)
    /// The stream has ended well, without a message.
    case end(StreamID)
    /// Nobody waits for the frame.
    case ignore
    /// Close the connection: what the server means cannot be known.
    case close(ProtocolViolation)
  }

  private var streams: [StreamID: Stream] = [:]
  private var nextID: UInt32

  /// - Parameter firstID: the number of the first stream; odd.
  package init(firstID: UInt32 = 1) {
    nextID = firstID
  }

  package var count: Int { streams.count }

  /// Allocates the number of a new stream; its request must be the next frame that is written.
  ///
  /// - Returns: `nil` when the numbers are used up: the connection takes no more calls.
  package mutating func open(_ kind: Kind) -> StreamID? {
    guard nextID < UInt32.max else { return nil }
    let id = StreamID(nextID)
    nextID += 2
    streams[id] = kind == .unary ? .unary : .streaming(outputIsOpen: kind == .streaming)
    return id
  }

  /// The caller no longer waits: what still comes on the stream is ignored.
  ///
  /// - Returns: whether the stream was open.
  package mutating func forget(_ id: StreamID) -> Bool {
    streams.removeValue(forKey: id) != nil
  }

  /// The caller sends a message, perhaps its last.
  ///
  /// - Returns: whether it may.
  package mutating func send(on id: StreamID, isLast: Bool) -> Bool {
    guard streams[id] == .streaming(outputIsOpen: true) else { return false }
    if isLast { streams[id] = .streaming(outputIsOpen: false) }
    return true
  }

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
