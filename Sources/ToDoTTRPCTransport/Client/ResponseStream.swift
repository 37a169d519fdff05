import NIOCore

/// The messages that a server sends on a stream. It supports one consumer. Exiting the loop early cancels the call.
package struct ResponseStream<Response: Sendable>: AsyncSequence, Sendable {
  typealias Producer = NIOThrowingAsyncSequenceProducer<
    Response, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, ResponseStreamDelegate
  >

  private let base: Producer

  static func make(
    resume: @escaping @Sendable () -> Void, cancel: @escaping @Sendable () -> Void
  ) -> (ResponseStream, Producer.Source) {
    let new = Producer.makeSequence(
      elementType: Response.self, failureType: (any Error).self,
      backPressureStrategy: .init(lowWatermark: 8, highWatermark: 32), finishOnDeinit: true,
      delegate: ResponseStreamDelegate(resume: resume, cancel: cancel))
    return (ResponseStream(base: new.sequence), new.source)
  }

  /// Returns the only iterator.
  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }

  /// The iterator of the messages.
  package struct AsyncIterator: AsyncIteratorProtocol {
    var base: Producer.AsyncIterator

    /// Returns the next message, or `nil` after the last.
    ///
    /// - Throws: `RPCError`, `CancellationError`.
    package mutating func next() async throws -> Response? { try await base.next() }
  }
}

struct ResponseStreamDelegate: NIOAsyncSequenceProducerDelegate {
  let resume: @Sendable () -> Void
  let cancel: @Sendable () -> Void

  func produceMore() { resume() }
  func didTerminate() { cancel() }
}
