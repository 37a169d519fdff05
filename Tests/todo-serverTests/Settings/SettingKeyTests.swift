import Configuration
import FoundationEssentials
import Testing
import ToDoTestSupport
import ToDoTransport

@testable import todo_server

/// Tests of the names of settings in files and in the environment.
@Suite(.timeLimited) struct SettingKeyTests {
  @Test func variable_ofKey_isUppercase() {
    #expect(SettingKey.listen.variable == "TODO_SERVER_LISTEN")
    #expect(SettingKey.keepChangesFor.variable == "TODO_SERVER_KEEP_CHANGES_FOR")
    #expect(SettingKey.tlsClientCA.variable == "TODO_SERVER_TLS_CLIENT_CA")
  }

  @Test(arguments: SettingKey.allCases) func setting_isInTheGuide(_ key: SettingKey) throws {
    let guide = URL(filePath: #filePath).appending(path: "../../../../Sources/todo-server/README.md").standardized
    let text = String(decoding: try Data(contentsOf: guide), as: UTF8.self)
    #expect(text.contains("| `\(key.variable)` | `\(key.rawValue)` |"))
  }

  @Test func variable_whenSet_isRead() async throws {
    var variables = [
      SettingKey.requireAuthentication.variable: "true", SettingKey.maxItems.variable: "7",
    ]
    #if TLS
    variables[SettingKey.tlsClientCA.variable] = "a"
    variables[SettingKey.tlsCertificate.variable] = "c"
    variables[SettingKey.tlsKey.variable] = "k"
    #endif
    let environment = EnvironmentVariablesProvider(environmentVariables: variables)
    let settings = try await ServerSettings(.init(), environment: environment)
    #expect(settings.requiresAuthentication)
    #if TLS
    #expect(settings.tls?.clientAuthorities == "a")
    #endif
    #expect(settings.maximumItems == 7)
  }

  @Test func unknownVariables_haveOnlyPrefixOfSettings() {
    let names = ["TODO_SERVER_LISTENS", "TODO_SERVER", "HOME", "TODO_SERVER_CONFIG", "TODO_SERVER_CA"]
    #expect(
      SettingKey.unknownVariables(among: names + SettingKey.allCases.map(\.variable))
        == ["TODO_SERVER_CA", "TODO_SERVER_LISTENS"])
  }
}
