import Testing
import ToDoModel
import ToDoProtocol

@testable import ToDoClient

@Suite struct WatchEventAssemblerTests {
  private func changes(_ revision: Int64, _ numbers: ClosedRange<Int>) -> ChangeSet {
    ChangeSet(revision: Revision(revision), changes: numbers.map { .put(sample($0, at: revision), .edited) })
  }

  @Test func receive_whenMessageIsComplete_returnsItsEvent() {
    var assembler = WatchEventAssembler(from: .snapshot)
    #expect(assembler.receive(.snapshotPage([sample(1, at: 1)])) == .snapshotPage([sample(1, at: 1)]))
    #expect(assembler.receive(.snapshotEnd(Revision(3))) == .snapshotEnd(Revision(3)))
    #expect(assembler.receive(.changes(changes(4, 1...2), moreFollow: false)) == .changes(changes(4, 1...2)))
    #expect(assembler.receive(.progress(Revision(5))) == .progress(Revision(5)))
  }

  @Test func receive_whenRevisionHasParts_returnsItWhenItIsComplete() {
    var assembler = WatchEventAssembler(from: .now)
    #expect(assembler.receive(.changes(changes(4, 1...2), moreFollow: true)) == nil)
    #expect(assembler.receive(.changes(changes(4, 3...4), moreFollow: false)) == .changes(changes(4, 1...4)))
    #expect(assembler.receive(.changes(changes(5, 1...1), moreFollow: false)) == .changes(changes(5, 1...1)))
  }

  @Test func receive_whenKindIsUnknown_skipsItButReportsTheRevision() {
    var assembler = WatchEventAssembler(from: .now)
    #expect(assembler.receive(.unknown) == nil)
    let empty = ChangeSet(revision: Revision(4), changes: [])
    #expect(assembler.receive(.changes(empty, moreFollow: false)) == .progress(Revision(4)))
  }

  @Test func receive_whenIncarnationIsKnown_addsItToChanges() {
    let list = ListIncarnation.random()
    let revision = Revision(3, of: list)
    func incarnation(after messages: [WatchMessage], from start: WatchStart) -> ListIncarnation? {
      var assembler = WatchEventAssembler(from: start)
      for message in messages { _ = assembler.receive(message) }
      guard case .changes(let set) = assembler.receive(.changes(changes(4, 1...1), moreFollow: false)) else {
        return nil
      }
      return set.revision.incarnation
    }
    #expect(incarnation(after: [.progress(revision)], from: .now) == list)
    #expect(incarnation(after: [.snapshotEnd(revision)], from: .snapshot) == list)
    #expect(incarnation(after: [], from: .after(revision)) == list)
    #expect(incarnation(after: [], from: .now) == nil)
  }
}
