import Configuration
import Foundation
import Testing
import ToDoTestSupport

@testable import todo_server

@Suite(.timeLimited) struct StoreLocationTests {
  @Test(arguments: [("memory:", StoreLocation.memory), ("sqlite:/a b.sqlite", .sqlite(path: "/a b.sqlite"))])
  func init_whenTextIsValid_returnsLocation(text: String, location: StoreLocation) throws {
    #expect(try StoreLocation(text) == location)
    #expect(try StoreLocation(option: text) == location)
  }

  @Test(arguments: ["", "sqlite:", "memory", "mysql://host/db"])
  func init_whenTextIsInvalid_throws(text: String) {
    #expect(throws: SettingError.self) { try StoreLocation(text) }
  }

  /// Values that contain a password and are no valid store.
  static let mistypedStores = [
    "postgrseql://ann:s3cret@host/db", "postgresql:ann:s3cret@host/db", "POSTGRESQL://ann:s3cret@host/db",
    " postgresql://ann:s3cret@host/db", "\"postgresql://ann:s3cret@host/db\"", "ann:s3cret@host/db",
    "host=db user=ann password=s3cret", "postgresql=ann:s3cret@host", "mysql://ann:s3cret@host/db",
    "postgresql://ann:s3cret/word@host/db", "postgresql://ann:1234/s3cret@host/db", "postgresql://ann:s3@cret@host/db",
    "postgresql://ann:%s3cret@host/db", "postgresql://ann:s3cret@host:port/db", "postgresql://ann:s3cret@host/db?x=y",
    "sqlite:postgresql://ann:s3cret@host/db", "sqlite:host=db password=s3cret", "sqlite postgresql://ann:s3cret@host",
    "memory:s3cret", "s3cret", "postgresql://host?password=s3@cret", "postgresql://host:5432?password=s3@cret",
  ]

  @Test(arguments: mistypedStores)
  func init_whenTextIsInvalid_throwsWithoutIt(text: String) throws {
    for make in [{ try StoreLocation(text) }, { try StoreLocation(option: text) }] as [() throws -> StoreLocation] {
      let error = try #require(throws: SettingError.self) { try make() }
      #expect(!"\(error)".contains("s3") && !"\(error)".contains("cret"), "\(error)")
      #expect("\(error)".hasPrefix("store "), "\(error)")
      #expect("\(error)".contains("use "), "\(error)")
    }
  }

  @Test(arguments: mistypedStores)
  func settings_whenStoreIsInvalid_doNotContainIt(text: String) async throws {
    for name in ["STORE", "STORE_READ"] {
      let environment = EnvironmentVariablesProvider(environmentVariables: ["TODO_SERVER_\(name)": text])
      let error = await #expect(throws: SettingError.self) {
        try await ServerSettings(.init(), environment: environment)
      }
      #expect(!"\(error as Any)".contains("s3") && !"\(error as Any)".contains("cret"))
    }
  }

  #if PostgreSQL
  @Test(arguments: [
    "postgresql://", "postgres://host/db", "postgresql://ann@a,b:5433/db?sslmode=verify-full",
    "postgresql://ann@[::1]:5432/db", "postgresql://a:1,b/db", "postgresql://host/db?user=ann@example.org",
    "postgresql:///db?host=/run/postgresql&passfile=/secret",
  ])
  func init_whenURIHasNoPassword_returnsLocation(uri: String) throws {
    #expect(try StoreLocation(option: uri) == .postgreSQL(uri: uri))
  }

  /// Options are visible to every user of the machine; a private file and the environment are not.
  @Test(arguments: [
    "postgresql://ann:secret@host/db", "postgres://:secret@host", "postgresql://host/db?password=secret",
    "postgresql://host/db?user=ann&password=secret", "postgresql://ann:sec?ret@host/db",
    "postgresql://host/db?pass%77ord=secret",
  ])
  func init_whenOptionContainsPassword_throwsWithoutIt(uri: String) throws {
    #expect(try StoreLocation(uri) == .postgreSQL(uri: uri))
    let error = try #require(throws: SettingError.self) { try StoreLocation(option: uri) }
    #expect("\(error)".contains("PGPASSFILE"))
    #expect(!"\(error)".contains("secret"))
  }
  #else
  @Test func init_whenBuildHasNoPostgreSQL_throwsWithoutThePassword() throws {
    let error = try #require(throws: SettingError.self) { try StoreLocation("postgresql://ann:secret@host/db") }
    #expect("\(error)".contains("trait PostgreSQL"))
    #expect(!"\(error)".contains("secret"))
  }
  #endif

  /// A machine's settings: its environment, and its settings file in a temporary directory.
  private func location(
    option: String? = nil, environment: [String: String] = [:], settings: String? = nil,
    isForbidden: @escaping (String) -> Bool = { _ in false }
  ) throws -> (StoreLocation, reports: [String]) {
    let directory = try TemporaryDirectory()
    let file = directory.file("config.json")
    if let settings { try Data(settings.utf8).write(to: URL(filePath: file)) }
    var reports: [String] = []
    let environment = environment.merging(["HOME": "/home/ann"]) { value, _ in value }
    let location = try StoreLocation.ofCommand(
      option, environment: { environment[$0]?.replacing("CONFIG", with: file) },
      installedSettings: environment["TODO_SERVER_CONFIG"] == nil ? file : "/nowhere",
      isForbidden: { isForbidden($0.replacing(file, with: "CONFIG")) }, report: { reports.append($0) })
    return (location, reports.map { $0.replacing(file, with: "CONFIG") })
  }

  private static let settings = #"{"store": "sqlite:/var/items.sqlite"}"#

  @Test func command_whenServerHasSettingsFile_usesItsStore() throws {
    let (location, reports) = try location(settings: Self.settings)
    #expect(location == .sqlite(path: "/var/items.sqlite"))
    #expect(reports == ["Using sqlite:/var/items.sqlite, from CONFIG."])
  }

  @Test func command_whenEnvironmentNamesSettingsFile_usesItsStore() throws {
    let (location, reports) = try location(environment: ["TODO_SERVER_CONFIG": "CONFIG"], settings: Self.settings)
    #expect(location == .sqlite(path: "/var/items.sqlite"))
    #expect(reports == ["Using sqlite:/var/items.sqlite, from CONFIG."])
  }

  @Test func command_whenEnvironmentHasStore_usesIt() throws {
    let (location, reports) = try location(
      environment: ["TODO_SERVER_STORE": "postgresql://ann:secret@host/db"], settings: Self.settings)
    #expect(location == .postgreSQL(uri: "postgresql://ann:secret@host/db"))
    #expect(reports == ["Using postgresql://..., from TODO_SERVER_STORE."])
  }

  @Test func command_whenOptionIsGiven_usesItWithoutAWord() throws {
    let (location, reports) = try location(option: "sqlite:/x", settings: Self.settings)
    #expect(location == .sqlite(path: "/x"))
    #expect(reports == [])
  }

  @Test(arguments: [nil, "{}"])
  func command_whenNothingNamesAStore_usesThePersonalList(settings: String?) throws {
    let (location, reports) = try location(settings: settings)
    let path = "/home/ann/.local/share/todo/items.sqlite"
    #expect(location == .sqlite(path: path))
    #expect(reports == ["Using sqlite:\(path), the list that todo uses without a server."])
  }

  private static let remedy =
    "cannot be read by this user; run the command as the server's user with 'sudo -u todo-server', or name another database "
    + "with '--store', such as '--store sqlite:/home/ann/.local/share/todo/items.sqlite' for the list that todo uses without a "
    + "server"

  @Test func command_whenUserMayNotReadTheDatabase_namesTheWaysOut() throws {
    let error = try #require(throws: SettingError.self) {
      try location(settings: Self.settings, isForbidden: { $0 == "/var/items.sqlite" })
    }
    #expect("\(error)" == "store: '/var/items.sqlite' \(Self.remedy)")
  }

  @Test(arguments: [Self.settings, nil])
  func command_whenUserMayNotReadTheSettings_namesTheWaysOut(settings: String?) throws {
    let error = try #require(throws: SettingError.self) {
      try location(settings: settings, isForbidden: { $0 == "CONFIG" })
    }
    #expect(error.name == "config" && error.reason == Self.remedy)
  }

  @Test func command_whenUserMayNotReadTheDatabaseOfItsOption_leavesThatToTheStore() throws {
    #expect(try location(option: "sqlite:/x", isForbidden: { _ in true }).0 == .sqlite(path: "/x"))
  }

  @Test(arguments: ["no JSON", #"{"store": "mysql://"}"#, #"{"store": true}"#, #"{"store": ["sqlite:/x"]}"#])
  func command_whenSettingsFileIsInvalid_throws(settings: String) throws {
    #expect(throws: SettingError.self) { try location(settings: settings) }
  }
}
