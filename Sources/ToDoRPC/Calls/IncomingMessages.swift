package import NIOCore
import Synchronization

/// The encoded messages that a client sends on a stream after its request. The sequence ends when the client closes its
/// side.
///
/// At most 32 messages are buffered, or 256 KiB and one message. The server then pauses reading from the connection
/// until the stream's handler catches up.
package struct IncomingMessages: AsyncSequence, Sendable {
  typealias Producer = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Delegate
  >

  private let base: Producer
  private let unread: Unread

  /// Creates a sequence and its source.
  ///
  /// - Parameter resume: called when the source may yield again.
  package static func make(resume: @escaping @Sendable () -> Void) -> (IncomingMessages, Source) {
    let unread = Unread(resume: resume)
    let new = Producer.makeSequence(
      elementType: ByteBuffer.self, failureType: (any Error).self,
      backPressureStrategy: .init(lowWatermark: 8, highWatermark: 32), finishOnDeinit: true,
      delegate: Delegate(unread: unread))
    return (IncomingMessages(base: new.sequence, unread: unread), Source(base: new.source, unread: unread))
  }

  /// The empty sequence of a client that has closed its side.
  package static var none: IncomingMessages {
    let (messages, source) = make(resume: {})
    source.finish()
    return messages
  }

  package func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: base.makeAsyncIterator(), unread: unread)
  }

  package struct AsyncIterator: AsyncIteratorProtocol {
    var base: Producer.AsyncIterator
    let unread: Unread

    package mutating func next() async throws -> ByteBuffer? {
      guard let message = try await base.next() else { return nil }
      unread.remove(message.readableBytes)
      return message
    }
  }

  /// The producer's side of the sequence, which the connection owns.
  package struct Source: Sendable {
    fileprivate let base: Producer.Source
    fileprivate let unread: Unread

    /// The number of buffered bytes.
    package var unreadBytes: Int { unread.bytes }

    /// Appends a message.
    ///
    /// - Returns: whether more messages may be appended. If not, `resume` is called once they may, or sooner.
    package func yield(_ message: ByteBuffer) -> Bool {
      let hasRoom = unread.add(message.readableBytes)
      if case .stopProducing = base.yield(message) { return false }
      return hasRoom
    }

    /// Ends the sequence, optionally with an error.
    package func finish(_ error: (any Error)? = nil) {
      if let error { base.finish(error) } else { base.finish() }
    }
  }

  /// The number of buffered bytes, updated when a message is appended and when it is read.
  final class Unread: Sendable {
    private struct State {
      var bytes = 0
      /// Whether the limit is exceeded.
      var isFull = false
    }

    private let state = Mutex(State())
    let resume: @Sendable () -> Void
    static let limit = 256 << 10

    init(resume: @escaping @Sendable () -> Void) {
      self.resume = resume
    }

    var bytes: Int { state.withLock(\.bytes) }

    func add(_ count: Int) -> Bool {
      state.withLock { state in
        state.bytes += count
        state.isFull = state.bytes > Self.limit
        return !state.isFull
      }
    }

    func remove(_ count: Int) {
      let hasRoomAgain = state.withLock { state in
        state.bytes -= count
        guard state.isFull, state.bytes <= Self.limit / 2 else { return false }
        state.isFull = false
        return true
      }
      if hasRoomAgain { resume() }
    }

    /// Discards the count after the reader has stopped.
    func end() {
      state.withLock { $0 = State() }
      resume()
    }
  }

  struct Delegate: NIOAsyncSequenceProducerDelegate {
    let unread: Unread

    func produceMore() { unread.resume() }
    func didTerminate() { unread.end() }
  }
}
