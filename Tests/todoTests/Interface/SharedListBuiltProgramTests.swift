import FoundationEssentials
import Glibc
import Testing
import ToDoClient
import ToDoModel
import ToDoTestProcesses
import ToDoTestSupport
import ToDoTransport

#if HTTP && Nominatim
import NIOHTTP1
import ToDoTestHTTP
#endif

/// Two users of a server who share a list: bob looks at it in a terminal, and ann works at the command line.
@Suite(.timeLimited, .blocking) struct SharedListBuiltProgramTests {
  private let directory: TemporaryDirectory
  private let server: BuiltServer
  private let (ann, bob): (User, User)

  /// A user, with data of the user's own.
  private struct User {
    let program: BuiltProgram
    let environment: [String: String]
    let token: String

    /// Runs a command, and expects that it succeeds.
    @discardableResult
    func run(_ arguments: String...) throws -> String { try run(arguments) }

    @discardableResult
    func run(_ arguments: [String]) throws -> String {
      let run = try program.run(arguments, environment: environment)
      #expect(run.status == 0, "\(run.error)")
      return run.output
    }
  }

  init() throws {
    let directory = try TemporaryDirectory()
    #if HTTP && Nominatim
    server = try BuiltServer(in: directory, httpOptions: ["--notify", "--notify-private"])
    #else
    server = try BuiltServer(in: directory)
    #endif
    (ann, bob) = (try Self.add("ann", directory, server), try Self.add("bob", directory, server))
    self.directory = directory
  }

  private static func add(_ name: String, _ directory: TemporaryDirectory, _ server: BuiltServer) throws -> User {
    let store = ["--store", "sqlite:\(directory.path)/items.sqlite"]
    func administer(_ arguments: [String]) throws -> String {
      let process = try CompletedProcess(builtProgram("todo-server").path, arguments + store, environment: [:])
      #expect(process.termination == .exited(0), "\(process.error)")
      return String(process.output.split(separator: "\n")[0])
    }
    _ = try administer(["user", "add", name])
    let file = directory.file("\(name).token")
    let token = try administer(["token", "add", name])
    try token.write(toFile: file, atomically: true, encoding: .utf8)
    chmod(file, 0o600)
    let environment = ["TODO_SERVER": server.endpoint, "TODO_TOKEN_FILE": file]
    return User(program: try BuiltProgram(), environment: environment, token: token)
  }

  /// Ann shares a list with a chore, and bob opens it in a window.
  private func shareChore() throws -> TmuxSession {
    try ann.run("lists", "create", "Home")
    try ann.run("add", "Water the plants", "--due", "2026-01-05", "--repeat", "every 2 days", "--list", "Home")
    try ann.run("share", "Home", "bob", "--can", "edit")
    try bob.run("lists", "accept", "Home")
    let window = try TmuxSession(columns: 100, rows: 24, environment: bob.program.environment(bob.environment))
    try window.enter("\(builtProgram("todo").path) ui --list Home")
    try window.wait { $0.contains("Overdue (1)") && $0.contains("Water the plants") }
    return window
  }

  @Test func choreOfSharedList_checkedByOne_isSeenByTheOther() throws {
    let window = try shareChore()
    try ann.run("check", "Home/1")
    // The occurrence is done, and the item has moved on.
    try window.wait { $0.contains("Done (1)") && $0.contains("missed") }

    try window.press("a")
    try window.type("Take out the bins")
    try window.press("Enter")
    try window.wait { $0.contains("*3  Take out the bins") && $0.contains("revision    3") }
    #expect(try ann.run("list", "--list", "Home").contains("Take out the bins"))
    #expect(try ann.run("log", "--list", "Home", "--limit", "1").contains("bob"))

    try ann.run("unshare", "Home", "bob")
    try window.wait { $0.contains("ann no longer shares the list 'Home' with you") }
    try window.press("q")
    try window.waitForPrompt()
    server.crash()
  }

  #if HTTP && Nominatim
  @Test func household_inTerminals_sharesAChore_aReminder_andAnArrival() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response()
    } _: { receiver async throws in
      let window = try shareChore()
      try await checkChore(shownIn: window)
      try bob.run("notify", "add", "ntfy", "\(receiver.url)/bob")
      try ann.run("add", "Take out the bins", "--remind", "today 00:00", "--list", "Home")
      try window.wait { $0.contains("Take out the bins") }
      await receiver.waitForRequests(1)
      let shop = ["--place", "Shop", "--at", "48.125,11.625"]
      try ann.run(["add", "Buy milk", "--remind", "arriving", "--list", "Home"] + shop)
      try reportPosition(of: bob, latitude: "48.125", longitude: "11.625")
      await receiver.waitForRequests(2)
      #expect(receiver.requests.map(\.uri) == ["/bob", "/bob"])
      #expect(receiver.requests.map { $0.headers["Title"] } == [["Take out the bins"], ["Buy milk"]])
      try window.press("q")
      try window.waitForPrompt()
    }
    server.crash()
  }

  /// Ann checks the chore, and bob's window shows it within 100 ms of the response.
  ///
  /// Half of the times count, because other programs use the machine, too. If it is so busy that it takes long to read a window
  /// that does not change, bob may wait five times as long as that.
  private func checkChore(shownIn window: TmuxSession) async throws {
    var configuration = ToDoClient.Configuration()
    configuration.token = ann.token
    let client = ToDoClient(endpoint: try #require(Endpoint(server.endpoint)), configuration: configuration)
    let list = try #require(try await client.lists().lists.first { $0.name == "Home" })
    let home = client.items(in: list.id)
    let chore = try #require(try await home.items(ItemQuery()).items.first)
    var (shown, unchanged): ([Duration], [Duration]) = ([], [])
    for count in 1...7 {
      _ = try await home.checkItem(chore.id, ifRevision: nil)
      shown.append(try ContinuousClock().measure { try window.wait(pause: 0) { $0.contains("Done (\(count))") } })
      unchanged.append(try ContinuousClock().measure { _ = try window.screen() })
    }
    await client.close()
    let (median, reading) = (shown.sorted()[3], unchanged.sorted()[3])
    print("a window shows a checked chore after \(median), of which reading the window takes \(reading)")
    #expect(median < max(.milliseconds(100), reading * 5), "\(shown)")
  }

  /// A user's phone reports its position by OwnTracks.
  private func reportPosition(of user: User, latitude: String, longitude: String) throws {
    let body = #"{"_type":"location","lat":\#(latitude),"lon":\#(longitude),"acc":20}"#
    let run = try CompletedProcess(
      "/usr/bin/curl",
      [
        "--silent", "--show-error", "--fail", "--user", "phone:\(user.token)", "--header",
        "content-type: application/json", "--data", body, "\(try #require(server.url))/owntracks",
      ])
    #expect(run.termination == .exited(0), "\(run.error)")
  }
  #endif
}
