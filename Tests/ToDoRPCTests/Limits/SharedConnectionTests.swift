import NIOCore
import NIOEmbedded
import Testing

@testable import ToDoRPC

/// The connections over which trusted proxies send the calls of several clients.
@Suite struct SharedConnectionTests {
  private let channel = EmbeddedChannel()
  private let account: ConnectionAccount

  init() throws {
    var limits = ServerLimits()
    limits.requiresAuthentication = true
    account = ConnectionLimiter(limits).account(of: channel)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  private func isOpen(after time: TimeAmount) -> Bool {
    channel.embeddedEventLoop.advanceTime(by: time)
    return channel.isActive
  }

  @Test func connection_whenNotShared_authenticatesInTime() {
    #expect(isOpen(after: .seconds(29)))
    #expect(!isOpen(after: .seconds(1)))
  }

  @Test func connection_whenShared_needNotAuthenticate() {
    account.share()
    #expect(isOpen(after: .hours(1)))
  }

  // The credentials are those of one client, and others may have calls in flight.
  @Test func connection_whenShared_remains_afterCredentialsOfOneClientHaveEnded() {
    account.share()
    account.authenticate(as: "ann")
    account.deauthenticate()
    #expect(isOpen(after: .hours(1)))
  }

  @Test func connection_whenNotShared_authenticatesAgain_afterCredentialsHaveEnded() {
    account.authenticate(as: "ann")
    #expect(isOpen(after: .hours(1)))
    account.deauthenticate()
    #expect(!isOpen(after: .seconds(30)))
  }
}
