import FoundationEssentials
import Testing
import ToDoClient
import ToDoModel
import ToDoSQLite
import ToDoStores
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// Tests of a real server process: its options, its output and its signals.
@Suite(.timeLimited, .blocking) struct ServerProcessTests {
  @Test func serve_whenReady_printsBoundEndpoints() async throws {
    try await withTemporaryDirectory { directory in
      let socket = "unix://\(directory)/todo.sock"
      let server = try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--listen", socket, "--store", "memory:")
      #expect(server.endpoints.count == 2)
      #expect(server.endpoints.last == Endpoint(socket))
      for endpoint in server.endpoints {
        let client = ToDoClient(endpoint: endpoint)
        #expect(try await client.isServing())
        await client.close()
      }
      #expect(server.terminate() == 0)
    }
  }

  @Test func terminate_removesSocketAndPreservesItems() async throws {
    try await withTemporaryDirectory { directory in
      let arguments = ["unix://\(directory)/todo.sock", "sqlite:\(directory)/data/items.sqlite"]
      for expected in [1, 2] {
        let server = try ServerProcess("serve", "--listen", arguments[0], "--store", arguments[1])
        let client = ToDoClient(endpoint: server.endpoints[0])
        let new = NewItem(id: ItemID(high: 0, low: UInt64(expected)), content: ItemContent(title: "\(expected)"))
        _ = try await client.addItem(new)
        #expect(try await client.items(ItemQuery()).items.count == expected)
        #expect(server.terminate() == 0)
        #expect(!FileManager.default.fileExists(atPath: "\(directory)/todo.sock"))
        await client.close()
      }
    }
  }

  @Test func settings_fromOptionsEnvironmentAndFile_haveThatPrecedence() async throws {
    try await withTemporaryDirectory { directory in
      let file = "\(directory)/server.json"
      let json = #"{"listen": ["unix:///file.sock"], "store": "memory:", "logLevel": "error"}"#
      try Data(json.utf8).write(to: URL(filePath: file))
      let server = try ServerProcess(
        "serve", "--config", file,
        environment: ["TODO_SERVER_LISTEN": "unix://\(directory)/a.sock,unix://\(directory)/b.sock"])
      #expect(server.endpoints.first == .unix(path: "\(directory)/a.sock"))
      #expect(server.terminate() == 0)
    }
  }

  @Test(arguments: [
    (
      ["--listen", "http://x"],
      "listen: 'http://x' is not a valid endpoint; use tcp://HOST:PORT, tls://HOST:PORT or unix:///PATH"
    ),
    (["--store", "postgres"], "store is not a valid store; use sqlite:PATH"),
    (
      ["--store", "memory:", "--log-level", "loud"],
      "log-level: 'loud' is not a valid level; valid levels are trace, debug"
    ),
    (
      ["--geocoder", "oracle"],
      "geocoder is not valid: unknown geocoder 'oracle'; valid values are gazetteer"
    ),
    (["--keep-changes", "few"], "keep-changes: 'few' is not a valid number"),
    (["--limit", "connections=none"], "limit connections: 'none' is not a number from 1 to"),
    (
      ["--keep-changes-for", "a week"],
      "keep-changes-for: 'a week' is not a valid duration; use a form such as 12h or 7d"
    ),
    (["--config", "/nowhere.json"], "config: '/nowhere.json' cannot be read"),
    (["--store", "sqlite:/dev/null/items.sqlite"], "/dev/null/items.sqlite"),
  ])
  func setting_whenInvalid_isNamed(_ arguments: [String], _ message: String) throws {
    let failure = #expect(throws: ServerProcess.Failure.self) { try ServerProcess(["serve"] + arguments) }
    #expect(failure?.status != 0)
    #expect(failure?.error.contains(message) == true)
  }

  @Test func list_whenItHasTheMaximumNumberOfItems_isFull() async throws {
    let server = try ServerProcess(
      "serve", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--max-items", "2")
    let client = ToDoClient(endpoint: server.endpoints[0])
    let items = (1...3).map { NewItem(id: ItemID(high: 0, low: $0), content: ItemContent(title: "\($0)")) }
    _ = try await client.addItems(Array(items.prefix(2)))
    await #expect(throws: ToDoError.listFull(limit: 2)) {
      try await client.addItem(items[2])
    }
    await client.close()
    #expect(server.terminate() == 0)
  }

  @Test func serve_whenConfigurationKeyIsUnknown_listsValidKeys() async throws {
    try await withTemporaryDirectory { directory in
      let file = "\(directory)/settings.json"
      try #"{"listen": ["tcp://127.0.0.1:0"], "requireAuthentification": true}"#
        .write(toFile: file, atomically: true, encoding: .utf8)
      let failure = #expect(throws: ServerProcess.Failure.self) {
        try ServerProcess("serve", "--store", "memory:", "--config", file)
      }
      let error = try #require(failure).error
      #expect(error.contains("'requireAuthentification' is not a valid key; valid keys are listen, "), "\(error)")
      #expect(error.contains("requireAuthentication"), "\(error)")
    }
  }

  @Test func endpoint_whenInUse_isRejectedByName() async throws {
    try await withTemporaryDirectory { directory in
      let socket = "unix://\(directory)/todo.sock"
      let first = try ServerProcess("serve", "--listen", socket, "--store", "memory:")
      let failure = #expect(throws: ServerProcess.Failure.self) {
        try ServerProcess("serve", "--listen", socket, "--store", "memory:")
      }
      #expect(failure?.status == 1)
      #expect(failure?.error.contains("\(socket): a server is listening there already") == true)
      #expect(first.terminate() == 0)
    }
  }

  @Test func start_whenServerAnnouncesNothing_failsAtLimit() async throws {
    try await withTemporaryDirectory { directory in
      let path = "\(directory)/items.sqlite"
      let store = try SQLiteToDoItemStore(path: path)
      await store.close()
      // The server waits for the lock when it opens the database.
      let lock = try SQLiteConnection(path: path)
      try lock.execute("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT")
      let silence = #expect(throws: ServerProcess.Silence.self) {
        try ServerProcess(
          ["serve", "--listen", "unix://\(directory)/todo.sock", "--store", "sqlite:\(path)"], limit: .zero)
      }
      #expect(silence?.announced == "")
      #expect(silence?.description.hasPrefix("todo-server did not listen within 0.0 seconds") == true)
      try lock.close()
    }
  }

  @Test func port_whenInUse_isRejectedByName() throws {
    let first = try ServerProcess("serve", "--listen", "tcp://127.0.0.1:0", "--store", "memory:")
    let endpoint = "\(first.endpoints[0])"
    let failure = #expect(throws: ServerProcess.Failure.self) {
      try ServerProcess("serve", "--listen", endpoint, "--store", "memory:")
    }
    #expect(failure?.status == 1)
    #expect(failure?.error.contains("\(endpoint): cannot listen: Address already in use\n") == true)
    #expect(first.terminate() == 0)
  }
}
