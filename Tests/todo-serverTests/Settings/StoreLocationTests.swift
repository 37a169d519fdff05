import Configuration
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
}
