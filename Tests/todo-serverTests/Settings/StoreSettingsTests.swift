import Configuration
import Foundation
import Testing
import ToDoStores
import ToDoTestSupport

@testable import todo_server

/// Tests of the settings of the store, and of their replicas.
@Suite(.timeLimited) struct StoreSettingsTests {
  #if PostgreSQL
  @Test func storeRead_ofPostgreSQLStore_isRead() async throws {
    let options = ServerSettings.Options(store: "postgresql://a/todo", storeRead: "postgres://b,c/todo")
    #expect(try await ServerSettings(options).replicaURI == "postgres://b,c/todo")
    let environment = EnvironmentVariablesProvider(environmentVariables: [
      "TODO_SERVER_STORE": "postgresql://a/todo", "TODO_SERVER_STORE_READ": "postgresql://ann:secret@b/todo",
    ])
    let settings = try await ServerSettings(.init(), environment: environment)
    #expect(settings.replicaURI == "postgresql://ann:secret@b/todo")
  }

  @Test(arguments: [
    ("postgresql://a/todo", "memory:"), ("postgresql://a/todo", "x"), ("memory:", "postgresql://b/todo"),
    ("sqlite:/a", "postgresql://b/todo"), ("postgresql://a/todo", "postgresql://ann:secret@b/todo"),
  ])
  func storeRead_whenInvalid_throws(store: String, storeRead: String) async {
    let options = ServerSettings.Options(store: store, storeRead: storeRead)
    let error = await #expect(throws: SettingError.self) { try await ServerSettings(options) }
    #expect(error?.name == "store-read")
    #expect(error.map { "\($0)".contains("secret") } == false)
  }
  #endif

  @Test func file_whenNumberIsNoText_isRead() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.file("config.json")
    try #"{"store": "sqlite:/a", "maxItems": 5, "itemCache": "6"}"#.write(
      toFile: path, atomically: true, encoding: .utf8)
    let settings = try await ServerSettings(.init(configFile: path))
    #expect(settings.store == .sqlite(path: "/a"))
    #expect(settings.maximumItems == 5)
    #expect(settings.cacheSize == 6 << 20)
  }
}
