import Testing

@testable import todo_server

@Suite struct StoreLocationTests {
  @Test(arguments: [("memory:", StoreLocation.memory), ("sqlite:/a b.sqlite", .sqlite(path: "/a b.sqlite"))])
  func init_whenTextIsValid_returnsLocation(text: String, location: StoreLocation) throws {
    #expect(try StoreLocation(text) == location)
    #expect(try StoreLocation(option: text) == location)
  }

  @Test(arguments: ["", "sqlite:", "memory", "mysql://host/db"])
  func init_whenTextIsInvalid_throws(text: String) {
    #expect(throws: SettingError.self) { try StoreLocation(text) }
  }

  #if PostgreSQL
    @Test(arguments: [
      "postgresql://", "postgres://host/db", "postgresql://ann@a,b:5433/db?sslmode=verify-full",
      "postgresql:///db?host=/run/postgresql&passfile=/secret",
    ])
    func init_whenURIHasNoPassword_returnsLocation(uri: String) throws {
      #expect(try StoreLocation(option: uri) == .postgreSQL(uri: uri))
    }

    /// Options are visible to every user of the machine; a private file and the environment are not.
    @Test(arguments: [
      "postgresql://ann:secret@host/db", "postgres://:secret@host", "postgresql://host/db?password=secret",
      "postgresql://host/db?user=ann&password=secret",
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
