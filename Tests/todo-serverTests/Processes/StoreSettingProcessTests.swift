import Testing
import ToDoTestServers
import ToDoTestSupport

/// Tests that no command prints the value of a store setting, which may contain a password.
@Suite(.timeLimited, .blocking) struct StoreSettingProcessTests {
  private static let commands = [
    ["serve"], ["user", "list"], ["user", "add", "ann"], ["token", "list"], ["migrate"], ["check"],
    ["backup", "--to", "/nowhere/copy"], ["restore", "/nowhere/copy"],
  ]

  @Test(arguments: commands)
  func command_whenStoreIsInvalid_namesTheSettingOnly(_ command: [String]) async throws {
    for store in StoreLocationTests.mistypedStores {
      let run = try ProgramRun("todo-server", command, environment: ["TODO_SERVER_STORE": store])
      #expect(run.status != 0)
      #expect(!run.output.contains("s3") && !run.output.contains("cret"), "\(run.output)")
      #expect(run.output.contains("Error: store "), "\(run.output)")
    }
    let option = try ProgramRun("todo-server", command + ["--store", "postgrseql://ann:s3cret@host/db"])
    #expect(!option.output.contains("s3cret"), "\(option.output)")
  }

  @Test(arguments: ["from", "to"])
  func migrateStore_whenStoreIsInvalid_namesTheOptionOnly(_ name: String) throws {
    for store in StoreLocationTests.mistypedStores {
      let (from, to) = name == "from" ? (store, "sqlite:/nowhere/b") : ("sqlite:/nowhere/a", store)
      let run = try ProgramRun("todo-server", "migrate-store", "--from", from, "--to", to)
      #expect(run.status != 0)
      #expect(!run.output.contains("s3") && !run.output.contains("cret"), "\(run.output)")
    }
  }
}
