import NIOCore
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// The output of a server's connection: the frames to write, the senders that wait, and the bounds of both.
///
///     open <--flushDue, startFlush--> flushScheduled
///      |                                    |
///      +--------------- close --------------+--> closed
///
/// Frames are collected until `takeFrames`, so that all responses of one read, or one event-loop turn, share a
/// write. At most one flush is scheduled. A closed output takes no frames, and its senders fail.
///
/// `BufferMeter` charges the connection's account for the unsent bytes, and for the bytes that the input and the calls hold.
///
/// It is a class because the calls and the handler both write to it. One thread runs all of this code, and no property is
/// passed on while it is being changed, so run-time checks for overlapping accesses are omitted.
final class ServerOutput {
  /// The handling of the collected frames.
  enum Flush: Equatable {
    /// Nothing: there are none, or their flush is scheduled.
    case none
    /// Write them immediately, because they are large.
    case now
    /// Write them at the end of this event-loop turn, after `startFlush`.
    case later
  }

  private enum State {
    case open
    case flushScheduled
    case closed
  }

  @exclusivity(unchecked) private var state = State.open
  @exclusivity(unchecked) private var frames: FrameWriter
  @exclusivity(unchecked) private var senders: [(stream: StreamID, promise: EventLoopPromise<Void>)] = []
  @exclusivity(unchecked) private var meter: BufferMeter
  private let arena: Arena
  private let unsentLimit: Int

  /// - Parameter arena: the memory in which responses are built.
  init(_ configuration: ServerLimits, account: ConnectionAccount, arena: Arena) {
    frames = FrameWriter(maximumLength: configuration.maximumResponseLength)
    meter = BufferMeter(account)
    self.arena = arena
    unsentLimit = configuration.outputLimit
  }

  // MARK: Frames

  /// Appends the frame that ends a call.
  func write(_ outcome: CallOutcome, on id: StreamID) {
    if state != .closed { frames.writeResponse(outcome, on: id, arena) }
  }

  /// Appends one message of a stream. The promise succeeds when the connection can take another, and fails if the message
  /// is too large or the output is closed.
  ///
  /// - Parameter isWritable: whether the channel has room.
  func send(_ message: OutgoingMessage, on id: StreamID, _ sent: EventLoopPromise<Void>, isWritable: Bool) {
    guard state != .closed else { return sent.fail(CancellationError()) }
    do { try frames.writeData(message, on: id, arena) } catch { return sent.fail(error) }
    if isWritable && !frames.isLarge { sent.succeed() } else { senders.append((id, sent)) }
  }

  // MARK: Flushing

  /// Whether the frames should be written before more are collected.
  var isLarge: Bool { frames.isLarge }

  /// Returns the handling of the frames that were collected outside a read.
  func flushDue() -> Flush {
    guard frames.needsFlush, state != .closed else { return .none }
    if frames.isLarge { return .now }
    guard state == .open else { return .none }
    state = .flushScheduled
    return .later
  }

  /// Records that the scheduled flush takes place.
  func startFlush() {
    if state == .flushScheduled { state = .open }
  }

  /// Returns and removes the collected frames; `nil` if there are none.
  func takeFrames() -> ByteBuffer? {
    guard let bytes = frames.takeBytes() else { return nil }
    meter.write(bytes.readableBytes)
    return bytes
  }

  /// Closes the output.
  ///
  /// - Returns: the frames that were not written.
  func close() -> ByteBuffer? {
    state = .closed
    let bytes = takeFrames()
    failSenders()
    return bytes
  }

  // MARK: Senders

  /// Resumes the senders, because the channel has room.
  func resumeSenders() {
    guard !senders.isEmpty else { return }
    let resumed = senders
    senders = []
    for sender in resumed { sender.promise.succeed() }
  }

  /// Fails the senders on a stream that has ended, or on any stream.
  func failSenders(on stream: StreamID? = nil) {
    guard !senders.isEmpty else { return }
    let failed = senders.filter { stream == nil || $0.stream == stream }
    senders.removeAll { stream == nil || $0.stream == stream }
    for sender in failed { sender.promise.fail(CancellationError()) }
  }

  // MARK: Bounds

  /// The number of bytes written since the connection was opened.
  var written: Int { meter.written }

  /// The number of written bytes that were unsent when the channel was last measured.
  var unsent: Int { meter.unsent }

  /// Whether enough was written that the channel should be measured again.
  var isMeasurementDue: Bool { meter.isUpdateDue }

  /// Whether more bytes are unsent than the connection may have.
  var isOverLimit: Bool { meter.unsent > unsentLimit }

  /// Sets the number of bytes that the channel has not sent.
  func measure(unsent: Int) { meter.update(unsent: unsent) }

  /// Sets the numbers of bytes that the connection's other parts hold.
  ///
  /// - Parameters:
  ///   - received: the bytes that were not decoded.
  ///   - queued: the messages that the handlers of streams have not read.
  ///   - requests: the requests whose calls are in flight.
  func hold(received: Int, queued: Int, requests: Int) {
    meter.hold(received: received, queued: queued, requests: requests)
  }

  /// Releases the connection's share of the account, because nothing more is sent.
  func endMetering() { meter.end() }
}
