#if PostgreSQL
import Testing

@testable import ToDoPostgreSQL

@Suite struct ConnectionSettingsTests {
  @Test(arguments: [
    "postgresql://user:Secret123@a:1,b:2/db?target_session_attrs=read-write&sslpassword=Secret123",
    "host=a,b port=1,2 user=user password=Secret123 dbname=db",
    "host=a password='Secret123",
    "postgresql://user:Secret123@[a/db",
  ])
  func descriptions_ofSettings_doNotContainPassword(_ text: String) throws {
    let settings = ConnectionSettings(text)
    var dumped = ""
    dump(settings, to: &dumped)
    for description in [settings.redacted, "\(settings)", String(reflecting: settings), dumped] {
      #expect(!description.contains("Secret123"))
    }
    var description = ""
    do { _ = try PostgreSQLConnection(settings) } catch { description = "\(error)" }
    #expect(!description.isEmpty)
    #expect(!description.contains("Secret123"))
  }

  @Test func redacted_containsHostsAndUser() throws {
    let settings = ConnectionSettings("postgresql://user:Secret123@a:1,b:2/db")
    #expect(settings.redacted == "user=user dbname=db host=a,b port=1,2")
    #expect(settings.isValid)
    #expect(!ConnectionSettings("host").isValid)
  }

  @Test func connectTimeout_whenTextSetsIt_isThatOfText() {
    #expect(ConnectionSettings("connect_timeout=2").connectTimeout == .seconds(2))
    #expect(ConnectionSettings("connect_timeout=0").connectTimeout == .seconds(5))
    #expect(ConnectionSettings("").connectTimeout == .seconds(5))
  }

  @Test func hosts_areSeparatedWithTheirPorts() throws {
    func hosts(_ text: String) throws -> [String] {
      try #require(ConnectionOptions(text)).ofEachHost.map { "\($0["host"] ?? "-") \($0["port"] ?? "-")" }
    }
    #expect(try hosts("host=a,b port=1,2") == ["a 1", "b 2"])
    #expect(try hosts("host=a,b port=1") == ["a 1", "b 1"])
    #expect(try hosts("postgresql://a,b:2/db") == ["a ", "b 2"])
    #expect(try hosts("host=a,b,c port=1,2") == ["a,b,c 1,2"])
    #expect(try hosts("hostaddr=127.0.0.1,::1") == ["- -", "- -"])
    #expect(try hosts("dbname=db") == ["- -"])
  }
}
#endif
