import Testing
import ToDoModel
import ToDoSupport
import ToDoTestSupport

@testable import todo

@Suite(.unitTimeLimited) struct StatusCommandTests {
  let bench = TestBench()

  @Test func status_printsEndpointAndHealth() async {
    #expect(
      await bench.run("status").output == """
        list      /home/ann/items.sqlite
        version   \(ServiceInfo.currentVersion)
        latency   1.25 ms
        health    serving

        """)
  }

  @Test func status_whenJSON_printsObject() async {
    #expect(
      await bench.run("status --json").output == """
        {
          "endpoint": "embedded /home/ann/items.sqlite",
          "serverVersion": "\(ServiceInfo.currentVersion)",
          "latencyMilliseconds": 1.25,
          "health": "SERVING"
        }

        """)
  }

  @Test func status_whenNotServing_printsHealthAndFails() async {
    bench.change { $0.health = .notServing }
    let run = await bench.run("status")
    #expect(run.status == .unreachable)
    #expect(run.output.contains("health    not serving\n"))
  }

  @Test func status_whenQuiet_printsNothing() async {
    #expect(await bench.run("status -q") == .init(status: .success, output: "", error: ""))
  }

  @Test func status_whenServiceFails_reportsError() async {
    let bench = TestBench(service: FailingService(error: .storeFull))
    let run = await bench.run("--server tcp://a:1 status")
    #expect(run == .init(status: .failure, output: "", error: "Error: the store is full\n"))
    #expect(bench.closedConnections == 1)
  }
}
