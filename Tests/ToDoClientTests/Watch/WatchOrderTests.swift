import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC

@testable import ToDoClient

/// The streams of hostile servers: out of order or endless.
@Suite struct WatchOrderTests {
  private static func changes(_ revision: Int64, _ numbers: Int..., moreFollow: Bool = false) -> WatchMessage {
    let changes = numbers.map { ItemChange.put(sample($0, at: revision), .edited) }
    return .changes(ChangeSet(revision: Revision(revision), changes: changes), moreFollow: moreFollow)
  }

  @Test(
    arguments: [
      (
        WatchStart.snapshot,
        [
          .snapshotPage([sample(1, at: 1)]), .unknown, .snapshotPage([]), .snapshotEnd(Revision(3)), changes(4, 1, 2),
          .progress(Revision(4)), .progress(Revision(9)), changes(10, 1, moreFollow: true), changes(10, 2),
        ]
      ),
      (.snapshot, [.snapshotEnd(.initial), changes(1, 1)]),
      (.now, [.progress(Revision(7)), changes(8, 1)]),
      (.now, [changes(8, 1), changes(9, 1)]),
      (.after(Revision(3)), [.progress(Revision(3)), changes(4, moreFollow: true), changes(4), changes(5, 1)]),
    ] as [(WatchStart, [WatchMessage])])
  func receive_whenMessagesAreInOrder_acceptsThem(_ start: WatchStart, _ messages: [WatchMessage]) throws {
    var order = WatchOrder(from: start, limit: 1 << 20)
    for message in messages { try order.receive(message) }
  }

  @Test(
    arguments: [
      (WatchStart.snapshot, [changes(1, 1)]), (.snapshot, [.progress(.initial)]),
      (.snapshot, [.snapshotEnd(.initial), .snapshotPage([])]),
      (.snapshot, [.snapshotEnd(.initial), .snapshotEnd(.initial)]),
      (.now, [.snapshotPage([])]), (.now, [.snapshotEnd(.initial)]), (.now, [.progress(Revision(2)), changes(2, 1)]),
      (.after(Revision(3)), [changes(3, 1)]), (.after(Revision(3)), [.progress(Revision(2))]),
      (.after(Revision(3)), [changes(5, 1), changes(4, 1)]), (.after(Revision(3)), [changes(4, 1, 1)]),
      (.after(Revision(3)), [changes(4, 1, moreFollow: true), changes(4, 1)]),
      (.after(Revision(3)), [changes(4, 1, moreFollow: true), changes(5, 2)]),
      (.after(Revision(3)), [changes(4, 1, moreFollow: true), .progress(Revision(4))]),
    ] as [(WatchStart, [WatchMessage])])
  func receive_whenMessageIsOutOfOrder_throws(_ start: WatchStart, _ messages: [WatchMessage]) throws {
    var order = WatchOrder(from: start, limit: 1 << 20)
    for message in messages.dropLast() { try order.receive(message) }
    let last = try #require(messages.last)
    let error = #expect(throws: RPCError.self) { try order.receive(last) }
    #expect(error?.isMalformedResponse == true)
  }

  /// The first thousand messages of an endless stream.
  @Test(
    arguments: [
      (WatchStart.snapshot, (0..<1000).map { _ in .snapshotPage([]) }),
      (.snapshot, (0..<1000).map { .snapshotPage([sample($0, at: 1)]) }),
      (.now, (0..<1000).map { changes(5, $0, moreFollow: true) }),
      // Changes of kinds from a later schema version, which are left out.
      (.now, (0..<1000).map { _ in changes(5, moreFollow: true) }),
    ] as [(WatchStart, [WatchMessage])])
  func receive_whenStreamIsEndless_throwsAtTheLimit(_ start: WatchStart, _ messages: [WatchMessage]) {
    var order = WatchOrder(from: start, limit: 1 << 20)
    var accepted = 0
    let error = #expect(throws: RPCError.self) {
      for message in messages {
        try order.receive(message)
        accepted += 1
      }
    }
    #expect(error?.isMalformedResponse == true)
    #expect(accepted < 100)
  }
}
