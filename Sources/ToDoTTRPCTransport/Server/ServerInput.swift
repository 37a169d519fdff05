import NIOCore
import ToDoTTRPC

/// The input of a server's connection: received bytes, the frames in them, and whether frames are being processed.
///
///     idle --receive, resume--> processing --pause--> idle
///       |                           |
///       +------------ end ----------+--> ended
///
/// `ServerConnectionHandler` calls `next` for one frame after the other while the connection permits more requests. Frames
/// that it leaves remain buffered until it resumes. No frame is returned outside `processing`, so that a change of the
/// calls during processing cannot process further frames in the middle of another. After `end`, bytes are discarded.
///
/// The type is noncopyable because a copy would cost as much as decoding a frame.
struct ServerInput: ~Copyable {
  /// A request of the channel for more bytes.
  enum Demand {
    /// No request of the channel is outstanding.
    case met
    /// A request of the channel is outstanding until the connection permits more requests.
    case deferred
  }

  private enum State {
    /// Between two turns of processing.
    case idle(Demand)
    /// Frames are being processed. Responses are collected until the end.
    case processing(Demand)
    /// The connection is closing.
    case ended
  }

  private var state = State.idle(.met)
  private var reader: FrameReader

  /// - Parameter maximumLength: the maximum data length of a frame.
  init(maximumLength: Int) {
    reader = FrameReader(maximumLength: maximumLength)
  }

  // MARK: State

  var isProcessing: Bool {
    if case .processing = state { true } else { false }
  }

  var isEnded: Bool {
    if case .ended = state { true } else { false }
  }

  /// Appends received bytes, and starts processing them.
  mutating func receive(_ bytes: ByteBuffer) {
    switch state {
    case .idle(let demand): state = .processing(demand)
    case .processing: break
    case .ended: return
    }
    reader.append(bytes)
  }

  /// Starts processing the frames that were left.
  ///
  /// - Returns: `false` if frames are being processed already, or the input has ended.
  mutating func resume() -> Bool {
    guard case .idle(let demand) = state else { return false }
    state = .processing(demand)
    return true
  }

  /// Ends a turn of processing.
  mutating func pause() {
    if case .processing(let demand) = state { state = .idle(demand) }
  }

  /// Ends the input, because the connection is closing, and discards the received bytes.
  mutating func end() {
    state = .ended
    reader.discard()
  }

  // MARK: Demand

  /// Records that the channel requested more bytes while the connection permitted no more requests.
  mutating func deferDemand() {
    switch state {
    case .idle: state = .idle(.deferred)
    case .processing: state = .processing(.deferred)
    case .ended: break
    }
  }

  /// Returns whether the handler must read from the channel now, because a request was outstanding. It is met then.
  mutating func meetDemand() -> Bool {
    guard case .idle(.deferred) = state else { return false }
    state = .idle(.met)
    return true
  }

  // MARK: Frames

  /// The maximum data length of the frames whose headers have not been decoded yet.
  var maximumLength: Int {
    get { reader.maximumLength }
    set { reader.maximumLength = newValue }
  }

  /// Returns the next frame, or `nil` if more bytes are needed or no frames are being processed.
  ///
  /// - Throws: `FramingError` if the bytes are not ttrpc.
  mutating func next() throws -> DecodedFrame? {
    guard case .processing = state else { return nil }
    return try reader.next()
  }

  /// Releases the memory of the frames that `next` has returned.
  mutating func compact() { reader.compact() }

  /// The number of frames since the connection was opened.
  var frameCount: Int { reader.frameCount }

  /// The data length of the frame that has partly arrived, or 0 while its header is incomplete. `nil` if no bytes are
  /// pending.
  var pendingLength: Int? { reader.pendingLength }

  /// The memory of the bytes that were not decoded.
  var bufferedBytes: Int { reader.bufferedBytes }
}
