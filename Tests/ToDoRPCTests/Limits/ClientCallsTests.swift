import Testing

@testable import ToDoRPC

/// The calls that each client has through proxies.
@Suite struct ClientCallsTests {
  @Test func place_whenClientHasTooMany_isNone_untilOneIsReleased() throws {
    let calls = ClientCalls(limit: 2)
    var places = [try #require(calls.place(for: .v4(1))), try #require(calls.place(for: .v4(1)))]
    #expect(calls.place(for: .v4(1)) == nil)
    withExtendedLifetime(calls.place(for: .v4(2))) { #expect($0 != nil) }
    places.removeLast()
    let other = calls.place(for: .v4(1))
    #expect(other != nil)
    withExtendedLifetime((places, other)) { #expect(calls.place(for: .v4(1)) == nil) }
  }

  @Test func bytes_ofAllCallsOfAClient_haveOneLimit() throws {
    let calls = ClientCalls(limit: 3, bytes: 100)
    let first = try #require(calls.place(for: .v4(1)))
    var second = calls.place(for: .v4(1))
    #expect(first.hold(60))
    #expect(second?.hold(40) == true)
    #expect(second?.hold(41) == false)
    let other = try #require(calls.place(for: .v4(2)))
    #expect(other.hold(100))
    second = nil
    #expect(first.hold(100) && !first.hold(101) && first.hold(0))
  }

  @Test func clients_withoutCalls_areForgotten() {
    let calls = ClientCalls(limit: 3)
    for number: UInt32 in 0..<100 { _ = calls.place(for: .v4(number)) }
    #expect(calls.clientCount == 0)
  }

  @Test func context_retainsItsPlace() {
    let calls = ClientCalls(limit: 1)
    let connection = CallConnection(peer: Peer())
    var context: CallContext? = CallContext(
      metadata: Metadata(), connection: connection, place: calls.place(for: .v4(1)))
    var copy = context?.presenting("Bearer x")
    context = nil
    #expect(calls.clientCount == 1 && copy != nil)
    copy = nil
    #expect(calls.clientCount == 0 && context == nil)
  }
}
