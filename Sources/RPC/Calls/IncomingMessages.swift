package import NIOCore
import Synchronization

/// The messages that a client sends on a stream after its request, encoded; it ends when the client closes its side.
///
/// At most 32 wait to be read, or 256 KiB and one; then the server reads no more from the connection until the stream's
/// handler catches up.
package struct IncomingMessages: AsyncSequence, Sendable {
  typealias Producer = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Delegate
  >

  private let base: Producer
  private let unread: Unread

  package static func make(resume: @escaping @Sendable () -> Void) -> (IncomingMessages, Source) {
    let unread = Unread(resume: resume)
    let new = Producer.makeSequence(
      elementType: ByteBuffer.self, failureType: (any Error).self,
      backPressureStrategy: .init(lowWatermark: 8, highWatermark: 32), finishOnDeinit: true,
      delegate: Delegate(unread: unread))
    return (IncomingMessages(base: new.sequence, unread: unread), Source(base: new.source, unread: unread))
  }

  /// What a client sends that has closed its side: nothing.
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

  /// Where the connection puts the messages.
  package struct Source: Sendable {
    fileprivate let base: Producer.Source
    fileprivate let unread: Unread

    /// How many bytes wait to be read.
    package var unreadBytes: Int { unread.bytes }

    /// - Returns: whether there is room for more; when there is not, `resume` is called once there is, or sooner.
    package func yield(_ message: ByteBuffer) -> Bool {
      let hasRoom = unread.add(message.readableBytes)
      if case .stopProducing = base.yield(message) { return false }
      return hasRoom
    }

    package func finish(_ error: (any Error)? = nil) {
      if let error { base.finish(error) } else { base.finish() }
    }
  }

  /// What waits to be read, counted where it comes in and where it is taken.
  final class Unread: Sendable {
    private struct State {
      var bytes = 0
      /// Whether too many bytes wait.
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

    /// Nobody reads any more.
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
