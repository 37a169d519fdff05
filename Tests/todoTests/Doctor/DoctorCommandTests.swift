import Testing
import ToDoModel
import ToDoRPC
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo doctor`, with a fake machine and a fake service.
@Suite(.unitTimeLimited) struct DoctorCommandTests {
  let bench = TestBench()

  private func database(
    permissions: UInt32 = 0o600, freeBytes: Int64 = 1 << 30, problems: [DatabaseProblem] = []
  ) -> MachineInspection.Database {
    .init(
      permissions: permissions, freeBytes: freeBytes,
      report: DatabaseCheck.Report(problems: problems, itemCount: 12, listCount: 1))
  }

  /// The lines of one check.
  private func check(_ name: String, in run: TestBench.Run) -> [Substring] {
    let lines = run.output.split(separator: "\n")
    guard let first = lines.firstIndex(where: { $0.dropFirst(8).hasPrefix(name + " ") }) else { return [] }
    return [lines[first]] + lines[(first + 1)...].prefix { $0.hasPrefix(" ") }
  }

  // MARK: The list on this machine

  @Test func doctor_whenAllIsWell_printsSettingsAndChecks() async {
    let database = database()
    bench.change { $0.databases["/home/ann/.local/share/todo/items.sqlite"] = database }
    #expect(
      await bench.run("doctor")
        == .init(
          status: .success,
          output: """
            todo \(ServiceInfo.currentVersion)
            list         /home/ann/.local/share/todo/items.sqlite  (default)
            geocoder     gazetteer  (default)

            ok      permissions  only you can read the list
            ok      space        1024 MiB free
            ok      database     12 items, no problems
            ok      connection   /home/ann/items.sqlite
            ok      service      responds in 1.25 ms
            ok      version      \(ServiceInfo.currentVersion)
            ok      clock        equal to the service's
            ok      geocoder     none; places are saved without coordinates

            """, error: ""))
    #expect(bench.closedConnections == 1)
  }

  @Test func doctor_whenJSON_printsObject() async {
    let run = await bench.run("doctor --json --geocoder none")
    #expect(run.status == .success)
    #expect(
      run.output == """
        {
          "version": "\(ServiceInfo.currentVersion)",
          "settings": [
            {
              "name": "list",
              "value": "/home/ann/.local/share/todo/items.sqlite",
              "origin": "default"
            },
            {
              "name": "geocoder",
              "value": "none",
              "origin": "--geocoder"
            }
          ],
          "checks": [
            {
              "name": "database",
              "outcome": "ok",
              "detail": "does not exist yet; 'todo add' creates it",
              "remedy": null
            },
            {
              "name": "service",
              "outcome": "skipped",
              "detail": "not examined",
              "remedy": null
            }
          ]
        }

        """)
    // A missing database is not created.
    #expect(bench.selections == [])
  }

  @Test func doctor_whenQuiet_printsNothing() async {
    #expect(await bench.run("doctor -q") == .init(status: .success, output: "", error: ""))
  }

  @Test(arguments: [
    (0o644, 1 << 30, "permissions", "warning", "other users can read the list"),
    (0o600, 5 << 20, "space", "warning", "only 5 MiB free"),
  ])
  func doctor_whenFileIsAtRisk_warns(
    _ permissions: UInt32, _ freeBytes: Int64, _ name: String, _ outcome: String, _ detail: String
  ) async throws {
    let database = database(permissions: permissions, freeBytes: freeBytes)
    bench.change { $0.databases["/home/ann/.local/share/todo/items.sqlite"] = database }
    let run = await bench.run("doctor")
    let lines = check(name, in: run)
    #expect(run.status == .success)
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix(outcome) == true && lines.first?.hasSuffix(detail) == true)
  }

  @Test(arguments: [
    (DatabaseProblem.Kind.damage, "restore a backup", 0), (.gap, "todo-server check --repair", 1),
  ])
  func doctor_whenDatabaseHasProblems_fails_andNamesRemedy(
    _ kind: DatabaseProblem.Kind, _ remedy: String, _ connections: Int
  ) async throws {
    let database = database(problems: [DatabaseProblem(kind, example: "page 7")])
    bench.change { $0.databases["/home/ann/.local/share/todo/items.sqlite"] = database }
    let run = await bench.run("doctor")
    let lines = check("database", in: run)
    #expect(run.status == .failure)
    #expect(lines.first?.hasSuffix("page 7") == true && lines.last?.contains(remedy) == true)
    // A damaged database is not opened for writing.
    #expect(bench.selections.count == connections)
  }

  @Test func doctor_whenDatabaseCannotBeRead_fails() async {
    bench.change { $0.databaseFailure = Failure.usage("cannot read it") }
    let run = await bench.run("doctor")
    #expect(run.status == .failure)
    #expect(check("database", in: run).first?.hasSuffix("cannot read it") == true)
    #expect(check("service", in: run).first?.hasPrefix("skipped") == true)
  }

  // MARK: A server

  #if TLS
  @Test func doctor_showsWhereSettingsOfServerComeFrom() async {
    bench.change { $0.environment["TODO_CA"] = "/ca.pem" }
    let run = await bench.run("doctor --server tls://example.org")
    let settings = run.output.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().prefix {
      !$0.isEmpty
    }
    #expect(
      Array(settings) == [
        "server       tls://example.org:8637  (--server)",
        "token        none  (/home/ann/.config/todo/tokens)",
        "authorities  /ca.pem  (TODO_CA)",
        "certificate  none  (default)",
      ])
    #expect(check("address", in: run) == ["ok      address      192.0.2.7"])
  }
  #endif

  @Test func doctor_whenNameDoesNotResolve_failsWithoutConnecting() async {
    bench.change { $0.addressFailure = .usage("unknown") }
    let run = await bench.run("doctor --server tcp://example.org")
    #expect(run.status == .failure)
    #expect(check("address", in: run).first?.hasSuffix("the name example.org has no known address") == true)
    #expect(check("service", in: run).first?.hasPrefix("skipped") == true)
    #expect(bench.selections == [])
  }

  @Test(arguments: [
    (RPCError(.unavailable, reason: "", "cannot connect"), "check that the server is running"),
    (RPCError(.unauthenticated, reason: "SERVER_NOT_TRUSTED", "not trusted"), "'--ca'"),
  ])
  func doctor_whenServerCannotBeReached_namesRemedy(_ error: RPCError, _ remedy: String) async {
    bench.change { $0.healthFailure = error }
    let run = await bench.run("doctor --server tcp://example.org")
    #expect(run.status == .failure)
    #expect(check("connection", in: run).last?.contains(remedy) == true)
    #expect(bench.closedConnections == 1)
  }

  @Test func doctor_whenTokenIsRejected_namesLogin() async {
    let bench = TestBench(service: FailingService(error: .unauthenticated))
    let run = await bench.run("doctor --server tcp://example.org")
    #expect(run.status == .failure)
    #expect(check("service", in: run).last?.contains("'todo login'") == true)
  }

  @Test func doctor_whenServerDoesNotServe_fails() async {
    bench.change { $0.health = .notServing }
    let run = await bench.run("doctor --server tcp://example.org")
    #expect(run.status == .failure)
    #expect(check("connection", in: run).first?.hasPrefix("failed") == true)
  }

  @Test(arguments: [("0.0.9", Duration.zero, "version"), (ServiceInfo.currentVersion, .seconds(60), "clock")])
  func doctor_whenServerDiffers_warns(_ version: String, _ ahead: Duration, _ name: String) async {
    let time = Timestamp(microseconds: TestBench.start.microseconds + Int64(ahead / .microseconds(1)))
    let bench = TestBench(service: FailingService(description: ServiceInfo(version: version, time: time)))
    let run = await bench.run("doctor --server tcp://example.org")
    #expect(run.status == .success)
    #expect(check(name, in: run).first?.hasPrefix("warning") == true)
  }

  @Test(arguments: [
    (SQLiteStoreError.notWritable(path: "/l/items.sqlite", obstacle: "/l"), "make it writable: chmod u+w /l"),
    (.readOnly(path: "/l/items.sqlite"), "mount the file system"),
    (.cannotOpen(path: "/l/items.sqlite", reason: "Permission denied"), "belong to you: chmod u+rw "),
    (.empty(path: "/l/items.sqlite"), "restore a backup with 'todo restore --from FILE', or delete"),
    (.lost(path: "/l/items.sqlite", remnant: "/l/items.sqlite.reserve"), "or delete /l/items.sqlite.reserve to begin"),
  ])
  func doctor_whenDatabaseCannotBeOpened_namesRemedy(_ error: SQLiteStoreError, _ remedy: String) async {
    bench.change { $0.databaseFailure = error }
    let run = await bench.run("doctor")
    #expect(run.status == .failure)
    let lines = check("database", in: run)
    #expect(lines.last?.contains(remedy) == true)
    #expect(remedy.contains("delete") || lines.last?.contains("move the file away") == false)
  }
}
