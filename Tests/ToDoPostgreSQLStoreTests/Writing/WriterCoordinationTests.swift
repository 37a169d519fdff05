#if PostgreSQL
import Dispatch
import Synchronization
import Testing
import ToDoModel

@testable import ToDoPostgreSQLStore

struct WriterCoordinationTests {
  @Test func gates_whenWritersOverlap_admitOneWriterAtATime() {
    let gates = ListGates()
    let owners = ["ann", "bob", "carl"].map(OwnerID.init)
    let held = Mutex<Set<OwnerID>>([])
    let overlaps = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 4) { writer in
      for round in 0..<200 {
        let own = owners.filter { ($0.name.utf8.count + writer + round) % 2 == 0 }
        gates.acquire(own)
        held.withLock { held in
          if !held.isDisjoint(with: own) { overlaps.withLock { $0 += 1 } }
          held.formUnion(own)
        }
        held.withLock { $0.subtract(own) }
        gates.release(own)
      }
    }
    #expect(overlaps.withLock { $0 } == 0)
    // Every gate is free again.
    gates.acquire(owners)
    gates.release(owners)
  }

  @Test func turn_whenYielded_admitsAnotherBody() {
    let turn = BodyTurn()
    let log = Mutex<[String]>([])
    turn.run {
      turn.yield { turn.run { log.withLock { $0.append("inner") } } }
      log.withLock { $0.append("outer") }
    }
    #expect(log.withLock { $0 } == ["inner", "outer"])
  }

  @Test func sortedForLocks_comparesBytes() {
    let owners = ["b", "ä", "a", "B", "", "ab"].map(OwnerID.init)
    #expect(owners.sortedForLocks.map(\.name) == ["", "B", "a", "ab", "b", "ä"])
  }
}
#endif
