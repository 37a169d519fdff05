import Foundation
import Glibc
import Testing
import ToDoClient
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoTestCertificates
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// Tests of users, tokens and certificates that an operator manages while the server runs.
@Suite(.timeLimited, .blocking) struct AccessProcessTests {
  /// Runs a program to its end.
  private func run(
    _ program: String, _ arguments: String..., input: String = "", environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String) {
    try run(program, arguments, input: input, environment)
  }

  private func run(
    _ program: String, _ arguments: [String], input: String = "", _ environment: [String: String]
  ) throws -> (status: Int32, output: String) {
    let run = try ProgramRun(program, arguments, input: input, environment: environment)
    return (run.status, run.output)
  }

  @Test func accountCommands_whileServerRuns_takeEffect() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      let server = try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--store", store, "--require-authentication")
      let endpoint = server.endpoints[0]
      #expect(try run("todo-server", "user", "add", "ann", "--store", store).status == 0)
      let token = try run("todo-server", "token", "add", "ann", "--expires", "90d", "--store", store).output.trimmed
      let client = ToDoClient(endpoint: endpoint, configuration: .bearing(token))
      _ = try await client.addItem(NewItem(id: ItemID(high: 0, low: 1), content: ItemContent(title: "Ann's")))
      await TestClient.expectRefusal(at: endpoint, nil)

      let watch = Subscription(client.watch(from: .snapshot, state: .all))
      while try await watch.next() != .snapshotEnd(Revision(1)) {}
      let id = token.split(separator: "_")[1]
      let listed = try run("todo-server", "token", "list", "--store", store).output
      #expect(listed.hasPrefix("\(id)\tann\tread and write\tuntil 2"))
      #expect(try run("todo-server", "token", "revoke", String(id), "--store", store).status == 0)
      await #expect(throws: ToDoError.unauthenticated) { while try await watch.next() != nil {} }
      await TestClient.expectRefusal(at: endpoint, token)
      await client.close()

      // 'user remove' prints the name with which the list can be given to a new user.
      let users = try run("todo-server", "user", "list", "--store", store).output.trimmed
      let list = users.split(separator: "\t")[1]
      #expect(try run("todo-server", "user", "remove", "ann", "--store", store).output.contains("--list \(list)"))
      #expect(try run("todo-server", "user", "add", "anna", "--list", String(list), "--store", store).status == 0)
      let newToken = try run("todo-server", "token", "add", "anna", "--read-only", "--store", store).output.trimmed
      let reader = ToDoClient(endpoint: endpoint, configuration: .bearing(newToken))
      #expect(try await reader.items(ItemQuery()).items.map(\.title) == ["Ann's"])
      await #expect(throws: ToDoError.readOnly) { try await reader.deleteItems(.all) }
      await reader.close()
      #expect(server.terminate() == 0)
    }
  }

  @Test func token_whenItHasAValidity_expiresAfterIt() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let store = "sqlite:\(path)"
      #expect(try run("todo-server", "user", "add", "ann", "--store", store).status == 0)
      #expect(try run("todo-server", "token", "add", "ann", "--expires", "90d", "--store", store).status == 0)
      let accounts = try SQLiteAccountStore(path: path)
      let token = try #require(try await accounts.tokens().first)
      let expiry = try #require(token.expiresAt)
      #expect(expiry.microseconds - token.createdAt.microseconds == 90 * 86_400_000_000)
      accounts.close()
    }
  }

  @Test func connection_whenCredentialsAreRequired_isClosedAfterTheLoginTime() async throws {
    let server = try ServerProcess(
      "serve", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--require-authentication", "--limit",
      "login-time=100ms", "--limit", "first-frame-time=1h")
    try await RawClient.with(server.endpoints[0]) { client in _ = try await client.framesUntilClosed() }
    #expect(server.terminate() == 0)
  }

  @Test func call_whenItsUserIsPurgedWhileItWaitsForGeocoder_changesNothing() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      #expect(try run("todo-server", "user", "add", "eve", "--list", "eve", "--store", store).status == 0)
      let token = try run("todo-server", "token", "add", "eve", "--store", store).output.trimmed
      let server = try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--store", store, "--geocoder", "simulated:latency=600s")
      let client = ToDoClient(endpoint: server.endpoints[0], configuration: .bearing(token))
      let add = Task {
        try await client.addItem(
          NewItem(
            id: ItemID(high: 0, low: 1),
            content: ItemContent(title: "Secret", location: Location(address: "Somewhere 1"))))
      }
      _ = try await client.items(ItemQuery())
      #expect(try run("todo-server", "user", "remove", "eve", "--purge", "--store", store).status == 0)
      await #expect(throws: ToDoError.unauthenticated) { try await add.value }
      await client.close()

      // The list can be given to a new user.
      #expect(try run("todo-server", "user", "add", "ann", "--list", "eve", "--store", store).status == 0)
      let newToken = try run("todo-server", "token", "add", "ann", "--store", store).output.trimmed
      let newClient = ToDoClient(endpoint: server.endpoints[0], configuration: .bearing(newToken))
      #expect(try await newClient.items(ItemQuery()).items.isEmpty)
      _ = try await newClient.addItem(NewItem(id: ItemID(high: 0, low: 2), content: ItemContent(title: "Ann's")))
      await newClient.close()
      #expect(server.terminate() == 0)
    }
  }

  #if TLS
  @Test func login_overTLS_followsCertificateReload() async throws {
    try await withTemporaryDirectory { directory in
      let certificates = try TestCertificates(in: directory)
      let files = try certificates.server()
      let store = "sqlite:\(directory)/items.sqlite"
      #expect(try run("todo-server", "user", "add", "ann", "--store", store).status == 0)
      let token = try run("todo-server", "token", "add", "ann", "--store", store).output
      let server = try ServerProcess(
        "serve", "--listen", "tls://localhost:0", "--store", store, "--tls-certificate", files.certificate,
        "--tls-key",
        files.key)
      var environment = [
        "TODO_SERVER": server.endpoints[0].description, "TODO_CA": certificates.authority, "HOME": directory,
      ]
      #expect(try run("todo", "list", environment: environment).status == 6)
      #expect(try run("todo", "login", input: token, environment: environment).status == 0)
      #expect(try run("todo", "add", "Buy milk", environment: environment).status == 0)
      #expect(try run("todo", "list", environment: environment).output.contains("Buy milk"))

      let others = try TestCertificates(in: directory, named: "New authority")
      let renewed = try others.server()
      for (source, target) in [(renewed.certificate, files.certificate), (renewed.key, files.key)] {
        try Data(contentsOf: URL(filePath: source)).write(to: URL(filePath: target))
      }
      server.signal(SIGHUP)
      environment["TODO_CA"] = others.authority
      // The server reloads the certificate asynchronously.
      var status: Int32 = 6
      for _ in 0..<50 where status == 6 { status = try run("todo", "list", environment: environment).status }
      #expect(status == 0)
      #expect(server.terminate() == 0)
    }
  }
  #endif

  @Test func secrets_areNeverLoggedOrReturned() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      #expect(try run("todo-server", "user", "add", "ann", "--store", store).status == 0)
      let token = try run("todo-server", "token", "add", "ann", "--store", store).output.trimmed
      let log = "\(directory)/log"
      let server = try ServerProcess(
        ["serve", "--listen", "tcp://127.0.0.1:0", "--store", store, "--log-level", "trace"], logFile: log)
      let client = ToDoClient(endpoint: server.endpoints[0], configuration: .bearing(token))
      let secrets = ["SECRET-TITLE", "SECRET-NOTE", "SECRET-ADDRESS", "SECRET-PLACE"]
      let item = NewItem(
        id: ItemID(high: 0, low: 1),
        content: ItemContent(
          title: secrets[0], itemDescription: secrets[1], location: Location(name: secrets[3], address: secrets[2])))
      _ = try await client.addItem(item, options: SaveOptions(savesWithoutCoordinate: true))
      _ = try? await client.addItem(item)
      _ = try? await client.geocode(GeocodeQuery(address: secrets[2]))
      _ = try await client.items(ItemQuery(text: secrets[0]))
      await client.close()
      let wrong = "todo_0123456789abcdef_" + String(repeating: "5ec2e7", count: 11)
      await TestClient.expectRefusal(at: server.endpoints[0], wrong)
      #expect(server.terminate() == 0)
      let text = try String(contentsOfFile: log, encoding: .utf8)
      #expect(!text.isEmpty)
      #expect(text.contains("authentication failed"))
      #expect(text.contains("address=127.0.0.1 count=1"))
      for secret in secrets + [token, String(token.suffix(64)), "5ec2e7"] { #expect(!text.contains(secret)) }
      for file in ["items.sqlite", "items.sqlite-wal", "items.sqlite-shm"]
      where FileManager.default.fileExists(atPath: "\(directory)/\(file)") {
        #expect(try TemporaryDirectory.permissions(of: "\(directory)/\(file)") == 0o600)
      }
    }
  }

  @Test(arguments: [
    (["user", "add", "Ann"], "Ann"), (["user", "remove", "ann"], "the user ann does not exist"),
    (["token", "add", "ann"], "the user ann does not exist"),
    (["token", "revoke", "xyz"], "is not 16 hexadecimal digits"),
    (["token", "revoke", "0123456789abcdef"], "the token 0123456789abcdef does not exist"),
    (["token", "add", "ann", "--expires", "soon"], "is not a valid duration; use a form such as 12h or 90d"),
    (["user", "add", "ann", "--unix-user", "no such user"], "is not a user of this machine"),
    (["user", "list", "--store", "memory:"], "has no users or tokens"),
  ])
  func command_whenArgumentsAreInvalid_printsReason(_ arguments: [String], _ message: String) async throws {
    try await withTemporaryDirectory { directory in
      let environment = ["XDG_DATA_HOME": directory]
      #expect(try run("todo-server", ["user", "add", "bob"], environment).status == 0)
      let process = try run("todo-server", arguments, environment)
      #expect(process.status != 0)
      #expect(process.output.contains(message), "\(process.output)")
    }
  }
}

extension String {
  fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

extension ToDoClient.Configuration {
  fileprivate static func bearing(_ token: String) -> ToDoClient.Configuration {
    var configuration = TestClient.configuration()
    configuration.token = token
    return configuration
  }
}

extension TestClient {
  fileprivate static func expectRefusal(at endpoint: Endpoint, _ token: String?) async {
    var configuration = configuration()
    configuration.token = token
    let client = ToDoClient(endpoint: endpoint, configuration: configuration)
    await #expect(throws: ToDoError.unauthenticated) { try await client.info() }
    await client.close()
  }
}
