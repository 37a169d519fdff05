import Testing

@testable import ToDoStores

@Suite struct PendingWritesTests {
  private var writes = PendingWrites<String, Int>(limit: 3)

  @Test mutating func add_whenIdle_starts() {
    #expect(writes.add("a", ticket: 1) == .start)
  }

  @Test mutating func add_whileCommitting_waits() {
    _ = writes.add("a", ticket: 1)
    #expect(writes.add("b", ticket: 2) == .wait)
  }

  @Test mutating func next_takesAllThatWait_inOrder() {
    for (ticket, write) in ["a", "b", "c"].enumerated() { _ = writes.add(write, ticket: UInt64(ticket)) }
    #expect(writes.next(limit: 10) == .commit(["a", "b", "c"]))
  }

  @Test mutating func next_takesNoMoreThanItsLimit() {
    for (ticket, write) in ["a", "b", "c"].enumerated() { _ = writes.add(write, ticket: UInt64(ticket)) }
    #expect(writes.next(limit: 2) == .commit(["a", "b"]))
    #expect(writes.next(limit: 2) == .commit(["c"]))
    #expect(writes.next(limit: 2) == .rest([]))
  }

  @Test mutating func next_afterAGroup_takesWhatCameMeanwhile() {
    _ = writes.add("a", ticket: 1)
    _ = writes.next(limit: 10)
    #expect(writes.add("b", ticket: 2) == .wait)
    #expect(writes.next(limit: 10) == .commit(["b"]))
  }

  @Test mutating func add_afterRest_startsAgain() {
    _ = writes.add("a", ticket: 1)
    _ = writes.next(limit: 10)
    #expect(writes.next(limit: 10) == .rest([]))
    #expect(writes.add("b", ticket: 2) == .start)
  }

  @Test mutating func add_beyondTheLimit_isRefused() {
    for ticket in 0..<3 as Range<UInt64> { _ = writes.add("a", ticket: ticket) }
    #expect(writes.add("b", ticket: 3) == .refuse(.full))
    _ = writes.next(limit: 1)
    #expect(writes.add("c", ticket: 4) == .wait)
  }

  @Test mutating func remove_whatWaits_returnsIt_once() {
    _ = writes.add("a", ticket: 1)
    _ = writes.add("b", ticket: 2)
    #expect(writes.remove(ticket: 2) == "b")
    #expect(writes.remove(ticket: 2) == nil)
    #expect(writes.next(limit: 10) == .commit(["a"]))
  }

  @Test mutating func remove_whatWasTaken_isTooLate() {
    _ = writes.add("a", ticket: 1)
    _ = writes.next(limit: 10)
    #expect(writes.remove(ticket: 1) == nil)
  }

  @Test mutating func close_whenIdle_isDone_andRefusesWrites() {
    #expect(writes.close(7) == .done)
    #expect(writes.add("a", ticket: 1) == .refuse(.closed))
    #expect(writes.close(8) == .done)
  }

  @Test mutating func close_whileCommitting_isDoneAfterTheLastGroup() {
    _ = writes.add("a", ticket: 1)
    #expect(writes.close(7) == .wait)
    #expect(writes.close(8) == .wait)
    #expect(writes.add("b", ticket: 2) == .refuse(.closed))
    #expect(writes.next(limit: 10) == .commit(["a"]))
    #expect(writes.next(limit: 10) == .rest([7, 8]))
    #expect(writes.close(9) == .done)
  }
}
