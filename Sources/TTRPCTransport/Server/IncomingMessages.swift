package import NIOCore

/// The messages that a client sends on a stream after its request, encoded; it ends when the client closes its side.
///
/// At most 32 wait to be read; then the server reads no more from the connection until the stream's handler catches up.
package struct IncomingMessages: AsyncSequence, Sendable {
  typealias Producer = NIOThrowingAsyncSequenceProducer<
    ByteBuffer, any Error, NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark, Delegate
  >

  private let base: Producer

  static func make(resume: @escaping @Sendable () -> Void) -> (IncomingMessages, Producer.Source) {
    let new = Producer.makeSequence(
      elementType: ByteBuffer.self, failureType: (any Error).self,
      backPressureStrategy: .init(lowWatermark: 8, highWatermark: 32), finishOnDeinit: true,
      delegate: Delegate(resume: resume))
    return (IncomingMessages(base: new.sequence), new.source)
  }

  /// What a client sends that has closed its side: nothing.
  package static var none: IncomingMessages {
    let (messages, source) = make(resume: {})
    source.finish()
    return messages
  }

  package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: base.makeAsyncIterator()) }

  package struct AsyncIterator: AsyncIteratorProtocol {
    var base: Producer.AsyncIterator

    package mutating func next() async throws -> ByteBuffer? { try await base.next() }
  }

  struct Delegate: NIOAsyncSequenceProducerDelegate {
    let resume: @Sendable () -> Void

    func produceMore() { resume() }
    func didTerminate() { resume() }
  }
}
