import Testing
import ToDoModel
import ToDoTransport

@testable import todo_load

@Suite struct WorkloadTests {
  private func workload(_ mix: String, _ seeds: RunSeeds) throws -> Workload {
    let ids = (0..<seeds.count).map { ItemID(high: 0, low: UInt64($0)) }
    return Workload(try Mix(mix), ids: ids, seeds, name: "test", seed: 1)
  }

  @Test func next_choosesItemsOfTheOperation() throws {
    let seeds = RunSeeds(plain: 10, repeating: 5, moving: 3)
    var workload = try workload("get=1,check=1,recur=1,move=1", seeds)
    for _ in 0..<500 {
      let (operation, item) = workload.next { Timestamp(microseconds: 0) }
      switch operation {
      case .recur: #expect((10..<15).contains(item))
      case .move: #expect((15..<18).contains(item))
      default: #expect((0..<10).contains(item))
      }
      workload.finish(operation, item: item, succeeded: true)
    }
  }

  @Test func move_ofAnItem_endsBeforeTheNextOne() throws {
    var workload = try workload("move=1", RunSeeds(plain: 0, moving: 3))
    let items = (0..<3).map { _ in workload.next { Timestamp(microseconds: 0) }.item }
    #expect(Set(items) == [0, 1, 2])
    workload.finish(.move, item: 1, succeeded: true)
    #expect(workload.next { Timestamp(microseconds: 0) }.item == 1)
  }

  @Test func move_changesDirection_unlessItFailed() throws {
    var workload = try workload("move=1", RunSeeds(plain: 0, moving: 1))
    #expect(!workload.isMoved(0))
    for (succeeded, isMoved) in [(false, false), (true, true), (false, true), (true, false)] {
      _ = workload.next { Timestamp(microseconds: 0) }
      workload.finish(.move, item: 0, succeeded: succeeded)
      #expect(workload.isMoved(0) == isMoved)
    }
  }

  @Test func seeds_ofMix_haveOnlyTheKindsThatItNeeds() throws {
    var plan = LoadPlan(endpoint: .unix(path: "/s"), mix: try Mix("get=1,recur=1"))
    plan.items = 7
    #expect(RunSeeds(plan) == RunSeeds(plain: 7, repeating: 7))
    let seeds = RunSeeds(plan)
    #expect(seeds.content(6, titled: "a").repetition == nil)
    #expect(seeds.content(7, titled: "a").repetition != nil)
  }
}
