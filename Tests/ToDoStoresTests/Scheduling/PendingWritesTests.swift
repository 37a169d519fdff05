import Testing

@testable import ToDoStores

@Suite struct PendingWritesTests {
  private typealias Writes = PendingWrites<String, String, Int>

  private var writes = Writes(limits: FairQueue.Limits(perOwner: 2, total: 3), quantum: 10)

  @Test mutating func add_whenIdle_starts() {
    #expect(writes.add("a", ticket: 1, of: "x") == .start)
  }

  @Test mutating func add_whileCommitting_waits() {
    _ = writes.add("a", ticket: 1, of: "x")
    #expect(writes.add("b", ticket: 2, of: "x") == .wait)
  }

  @Test mutating func nextOfGroup_takesWaitingWritesInOrder() {
    for (ticket, write) in ["a", "b"].enumerated() { _ = writes.add(write, ticket: UInt64(ticket), of: "x") }
    #expect(writes.next() == .commit("x", "a"))
    _ = writes.add("c", ticket: 3, of: "x")
    #expect([writes.nextOfGroup()?.write, writes.nextOfGroup()?.write] == ["b", "c"])
    #expect(writes.nextOfGroup() == nil)
  }

  @Test mutating func next_whenWritesWereAddedDuringAGroup_takesThem() {
    _ = writes.add("a", ticket: 1, of: "x")
    _ = writes.next()
    #expect(writes.nextOfGroup() == nil)
    #expect(writes.add("b", ticket: 2, of: "x") == .wait)
    #expect(writes.next() == .commit("x", "b"))
  }

  @Test mutating func add_afterIdle_startsAgain() {
    _ = writes.add("a", ticket: 1, of: "x")
    _ = writes.next()
    #expect(writes.next() == .idle([]))
    #expect(writes.add("b", ticket: 2, of: "x") == .start)
  }

  @Test mutating func add_whenTheOwnersQueueIsFull_isRejectedForThatOwnerOnly() {
    for ticket in 0..<2 as Range<UInt64> { _ = writes.add("a", ticket: ticket, of: "x") }
    #expect(writes.add("b", ticket: 3, of: "x") == .reject(.ownerFull))
    #expect(writes.add("b", ticket: 3, of: "y") == .wait)
    #expect(writes.add("c", ticket: 4, of: "y") == .reject(.full))
    _ = writes.next()
    #expect(writes.add("b", ticket: 5, of: "x") == .wait)
  }

  @Test mutating func remove_whenTheWriteWaits_returnsItOnce() {
    _ = writes.add("a", ticket: 1, of: "x")
    _ = writes.add("b", ticket: 2, of: "x")
    #expect(writes.remove(ticket: 2, of: "x") == "b")
    #expect(writes.remove(ticket: 2, of: "x") == nil)
    #expect(writes.next() == .commit("x", "a"))
    #expect(writes.nextOfGroup() == nil)
  }

  @Test mutating func remove_whenTheWriteWasTaken_returnsNil() {
    _ = writes.add("a", ticket: 1, of: "x")
    _ = writes.next()
    #expect(writes.remove(ticket: 1, of: "x") == nil)
  }

  @Test mutating func close_whenIdle_isDoneAndRejectsWrites() {
    #expect(writes.close(7) == .done)
    #expect(writes.add("a", ticket: 1, of: "x") == .reject(.closed))
    #expect(writes.close(8) == .done)
  }

  @Test mutating func close_whileCommitting_isDoneAfterTheLastGroup() {
    _ = writes.add("a", ticket: 1, of: "x")
    #expect(writes.close(7) == .wait)
    #expect(writes.close(8) == .wait)
    #expect(writes.add("b", ticket: 2, of: "x") == .reject(.closed))
    #expect(writes.next() == .commit("x", "a"))
    #expect(writes.next() == .idle([7, 8]))
    #expect(writes.close(9) == .done)
  }
}
