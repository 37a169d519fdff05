import Foundation
import Synchronization
import Testing
import ToDoClient
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoSupport
import ToDoTTRPCTransport
import ToDoTestSupport

@testable import todo_load

@Suite(.timeLimited) struct LoadProgramTests {
  @Test func help_matchesGoldenFile() async throws {
    let (status, output, error) = await run("--help")
    #expect(status == .success)
    #expect(error == "")
    try GoldenFile("help.txt").expect(output)
    #expect(output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test(arguments: [
    ("", ToDoSupport.ExitStatus.usage, "Error: no server specified"),
    ("--server unix:///s --mix x", .usage, "Error: 'x' is not a valid part of '--mix'"),
    ("--server unix:///s --connections x", .usage, "Error: The value 'x' is invalid for '--connections <n>'"),
    ("--server unix:///s more", .usage, "Error: Unexpected argument 'more'"),
    ("--server unix:///nowhere/s", .unreachable, "Error: unix:///nowhere/s cannot be reached: No such file"),
    ("--server unix:///s --token-file /nowhere/t", .usage, "Error: there is no such token file; use '--token-file'"),
    ("--server tcp://ann:s3cret@host", .usage, "Error: the server is not a valid endpoint; write tls://host:port"),
  ])
  func run_whenItFails_reportsError(arguments: String, status: ToDoSupport.ExitStatus, message: String) async {
    let run = await run(arguments)
    #expect(run.status == status)
    #expect(run.output == "")
    #expect(run.error.hasPrefix(message))
  }

  @Test(
    arguments: [
      (UsageError("no"), .usage), (PrivateFileError("f", "open to all", isReadableByOthers: true), .notAllowed),
      (PrivateFileError("f", "empty"), .usage), (RPCError(.unavailable, reason: "", ""), .unreachable),
      (RPCError(.unauthenticated, reason: "", ""), .notAllowed), (ToDoError.unauthenticated, .notAllowed),
      (RPCError(.internal, reason: "", ""), .otherFailure), (CancellationError(), .interrupted),
    ] as [(any Error, ToDoSupport.ExitStatus)])
  func status_dependsOnError(error: any Error, status: ToDoSupport.ExitStatus) {
    #expect(ToDoSupport.ExitStatus(error) == status)
  }

  @Test func closedLoop_whenRunEnds_leavesNoItems() async throws {
    try await LoadBench.with { bench async throws in
      let run = await bench.run("--total 300 --warm-up 0s --items 20 --connections 2 --in-flight 4 --fail-if errors>0")
      #expect(run.status == .success)
      #expect(run.error == "")
      #expect(run.output.hasPrefix("\(bench.endpoint), get=80,list=5,add=10,check=5\n2 connections"))
      #expect(run.output.contains("  requests    300, "))
      #expect(run.output.contains("  errors      none\n"))
      #expect(try await bench.service.items(ItemQuery()).items == [])
    }
  }

  @Test func movesAndRecurringChecks_leaveNoItems() async throws {
    try await LoadBench.with { bench async throws in
      for _ in 0..<2 {
        let run = await bench.run(
          "--total 300 --warm-up 0s --items 20 --connections 2 --in-flight 4 --mix move=1,recur=1,get=1 --fail-if errors>0"
        )
        #expect(run.error == "")
        #expect(run.status == .success)
        #expect(run.output.contains("  errors      none\n"))
        #expect(run.output.contains("\n  move ") && run.output.contains("\n  recur "))
        #expect(try await bench.service.items(ItemQuery()).items == [])
      }
      // The second run has used the list of the first one again.
      let lists = try await bench.lists.lists(includingDeleted: true).lists
      #expect(lists.map(\.name) == ["Inbox", "todo-load"])
      #expect(lists.map(\.isDeleted) == [false, true])
    }
  }

  /// A busy machine can suspend the program for longer than the run lasts, so some requests can be due and not sent.
  @Test func openLoop_sendsOrReportsEveryDueRequest() async throws {
    struct Report: Decodable {
      var loop: String
      var requests: Int
      var unsent: Int
    }
    try await LoadBench.with { bench async throws in
      let run = await bench.run("--rate 2000 --total 100 --warm-up 0s --items 5 --mix get=1 --json")
      #expect(run.status == .success)
      let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
      #expect(report.loop == "open")
      #expect(report.requests + report.unsent == 100)
    }
  }

  @Test func watchers_receiveEveryWrite() async throws {
    try await LoadBench.with { bench async throws in
      let run = await bench.run("--total 50 --warm-up 0s --items 0 --mix add=1 --watchers 2 --csv")
      #expect(run.status == .success)
      #expect(run.output.contains("\ndelivery,100,0,"))
    }
  }

  @Test func failIf_whenConditionHolds_setsExitStatus() async throws {
    try await LoadBench.with { bench async throws in
      let run = await bench.run("--total 20 --warm-up 0s --items 5 --mix get=1 --csv --fail-if p50>1ns")
      #expect(run.status == .conditionHolds)
      #expect(run.error.hasPrefix("Failed: p50>1ns: p50 was "))
    }
  }

  @Test func output_writesReportToFile() async throws {
    let directory = try TemporaryDirectory()
    try await LoadBench.with { bench async throws in
      let path = directory.file("report.json")
      let run = await bench.run("--total 20 --warm-up 0s --items 5 --keep -o \(path)")
      #expect(run.status == .success)
      #expect(run.output.contains("  requests    20, "))
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("\"requests\" : 20,"))
      #expect(try await bench.service.items(ItemQuery()).items.count >= 5)
    }
  }

  @Test func output_whenFileCannotBeWritten_fails() async throws {
    try await LoadBench.with { bench async throws in
      let run = await bench.run("--total 20 --warm-up 0s --items 5 -o /nowhere/report.json")
      #expect(run.status == .otherFailure)
      #expect(run.error == "Error: cannot write the report to /nowhere/report.json: No such file or directory\n")
    }
  }

  @Test func errors_areCountedByCode() async throws {
    try await LoadBench.with(itemLimit: 5) { bench async throws in
      let run = await bench.run("--total 20 --warm-up 0s --items 5 --mix add=1 --fail-if error-rate>99%")
      #expect(run.status == .conditionHolds)
      #expect(run.output.contains("  errors      20, 100.0 %: RESOURCE_EXHAUSTED 20\n"))
    }
  }

  @Test func run_whenInterrupted_reportsCompletedPart() async throws {
    try await LoadBench.with { bench async throws in
      let count = Mutex(0)
      let run = await bench.run("--duration 1h --warm-up 0s --items 5") {
        count.withLock { count in
          count += 1
          return count > 5
        }
      }
      #expect(run.status == .interrupted)
      #expect(run.output.contains("\nInterrupted: the report covers the run up to the interruption.\n"))
      #expect(try await bench.service.items(ItemQuery()).items == [])
    }
  }

  @Test func run_whenInterruptedBeforeStart_leavesNoItems() async throws {
    try await LoadBench.with { bench async throws in
      let run = await bench.run("--duration 1h --items 5") { true }
      #expect(run.status == .interrupted)
      #expect(run.error == "Interrupted.\n")
      #expect(try await bench.service.items(ItemQuery()).items == [])
    }
  }

  @Test func run_whenServerBecomesUnreachable_endsAsServerLost() async throws {
    try await LoadBench.with { bench async throws in
      var plan = LoadPlan(endpoint: bench.endpoint, mix: try Mix("list=1"))
      (plan.pace, plan.warmUp, plan.timeout) = (.closed(.duration(3600 * .second)), 0, 50 * .millisecond)
      let began = Condition(false)
      var observer = LoadObserver()
      observer.onStart = { began.change { $0 = true } }
      async let end: Void = {
        await began.wait(until: \.self)
        await bench.listener.shutDown(grace: .zero)
      }()
      let outcome = try await LoadRun(plan: plan, transport: ClientConfiguration(), metadata: Metadata())
        .perform(Workload(plan.mix, ids: [], name: "test", seed: 1), observer)
      await end
      #expect(outcome.ending == .serverLost)
    }
  }

  private func run(_ arguments: String) async -> (status: ToDoSupport.ExitStatus, output: String, error: String) {
    let printed = Mutex((output: "", error: ""))
    let program = LoadProgram(
      context: ProgramContext(
        environment: { _ in nil },
        print: { text in printed.withLock { $0.output += text } },
        printError: { text in printed.withLock { $0.error += text } }))
    let status = await program.run(arguments.split(separator: " ").map(String.init))
    let (output, error) = printed.withLock { $0 }
    return (status, output, error)
  }
}
