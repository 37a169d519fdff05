import Glibc
import Logging
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC

@testable import ToDoTransport

/// A listening channel that cannot accept connections for a while.
@Suite struct AcceptGateTests {
  private let channel: EmbeddedChannel

  init() {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    channel = EmbeddedChannel(handler: ConnectionLimiter(ServerLimits()).makeGate(for: .grpc, logger))
  }

  /// The value that the gate has last set for `autoRead`.
  private var reads: Bool? { channel.options.lazy.compactMap { $0.value as? Bool }.last }

  private func failToAccept(_ code: Int32 = EMFILE) {
    channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
  }

  private func pass(_ milliseconds: Int64) { channel.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds)) }

  @Test func channel_afterAnError_pausesForASecond() {
    failToAccept()
    failToAccept()
    pass(999)
    #expect(reads == false)
    pass(1)
    #expect(reads == true)
  }

  @Test func channel_whenItFailsAgainAfterAPause_pausesAgain() {
    failToAccept()
    pass(1000)
    failToAccept()
    #expect(reads == false)
    pass(1000)
    #expect(reads == true)
  }

  @Test func channel_whenAPeerDisconnectsEarly_doesNotPause() {
    failToAccept(ECONNABORTED)
    #expect(reads == nil)
  }
}
