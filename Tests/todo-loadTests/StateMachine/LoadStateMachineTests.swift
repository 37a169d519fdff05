import Testing
import ToDoModel
import ToDoRPC
import ToDoTransport

@testable import todo_load

@Suite struct LoadStateMachineTests {
  /// The server takes 100 µs for each request, but stalls for a second at request 1000.
  @Test func openLoop_whenServerStalls_countsWaitingTime() throws {
    let outcome = try run(.open(Schedule(.constant(1000), duration: 4 * .second))) { $0 == 1000 ? .second : 100_000 }
    #expect(outcome.count == 4000)
    // A quarter of all requests were due while the server stalled.
    let (due, send) = (LatencySummary(outcome.fromDue), LatencySummary(outcome.fromSend))
    #expect(send.p99 < .millisecond)
    #expect(due.p50 < .millisecond)
    #expect(due.p90 > 500 * .millisecond)
    #expect(due.max >= .second)
  }

  @Test func closedLoop_whenServerStalls_underestimatesLatency() throws {
    let outcome = try run(.closed(.duration(4 * .second))) { $0 == 1000 ? .second : 100_000 }
    #expect(LatencySummary(outcome.fromDue).p99 < .millisecond)
  }

  @Test func openLoop_whenServerIsTooSlow_countsUnsentRequests() throws {
    let outcome = try run(.open(Schedule(.constant(1000), duration: .second))) { _ in 10 * .millisecond }
    #expect((99...101).contains(outcome.count))
    #expect(outcome.count + outcome.unsent == 1000)
    #expect(LatencySummary(outcome.fromDue).p50 > 400 * .millisecond)
  }

  @Test func warmUp_isNotCounted() throws {
    var machine = try machine(.closed(.total(1)))
    let warmUp = try #require(machine.nextRequest(on: 0, at: -5, hadCapacity: false) { Timestamp(microseconds: 0) })
    machine.finish(warmUp, on: 0, at: -1, code: .ok)
    #expect(machine.recorder.count == 0)
    let request = try #require(machine.nextRequest(on: 0, at: 5, hadCapacity: false) { Timestamp(microseconds: 0) })
    machine.finish(request, on: 0, at: 7, code: .ok)
    #expect(machine.recorder.count == 1)
    #expect(machine.hasEnded(at: 7))
  }

  @Test func errors_areCountedByCode() throws {
    var machine = try machine(.closed(.total(2)))
    for code in [StatusCode.unavailable, .unavailable] {
      let request = try #require(machine.nextRequest(on: 0, at: 5, hadCapacity: false) { Timestamp(microseconds: 0) })
      machine.finish(request, on: 0, at: 7, code: code)
    }
    #expect(machine.recorder.errors == [.unavailable: 2])
    #expect(machine.recorder.parts[Operation.get.index].errors == 2)
  }

  @Test func elapsed_whenServerIsLostEarly_isPlannedDuration() throws {
    var machine = try machine(.closed(.duration(10 * .second)))
    let request = try #require(machine.nextRequest(on: 0, at: 5, hadCapacity: false) { Timestamp(microseconds: 0) })
    machine.finish(request, on: 0, at: .second, code: .ok)
    machine.stop(at: 10 * .second + 7)
    #expect(machine.elapsed == 10 * .second)
  }

  @Test func elapsed_whenInterrupted_isTimeUntilInterruption() throws {
    var machine = try machine(.closed(.duration(10 * .second)))
    machine.stop(at: 3 * .second)
    #expect(machine.elapsed == 3 * .second)
  }

  private func machine(_ pace: LoadPlan.Pace) throws -> LoadStateMachine {
    var plan = LoadPlan(endpoint: .unix(path: "/s"), mix: try Mix("get=1"))
    (plan.connections, plan.inFlight, plan.warmUp, plan.pace) = (1, 1, 0, pace)
    let ids = [ItemID(time: Timestamp(microseconds: 0))]
    return LoadStateMachine(plan, Workload(plan.mix, ids: ids, name: "test", seed: 1))
  }

  /// Simulates a run on one connection with one request in flight. The clock jumps to the next event.
  private func run(_ pace: LoadPlan.Pace, serviceTime: (Int) -> Nanoseconds) throws -> Recorder {
    var machine = try machine(pace)
    var (now, number) = (Nanoseconds(0), 0)
    while !machine.isOver(at: now) {
      _ = machine.advance(to: now)
      if let request = machine.nextRequest(on: 0, at: now, hadCapacity: false, time: { Timestamp(microseconds: 0) }) {
        now += serviceTime(number)
        number += 1
        machine.finish(request, on: 0, at: now, code: .ok)
      } else {
        now = try #require(machine.nextDue)
      }
    }
    machine.stop(at: now)
    return machine.recorder
  }
}
