import Foundation
import Testing
import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoQuickAdd
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestServers
import ToDoTestSupport
import ToDoText

/// Sentences that a server reads for its clients.
@Suite(.timeLimited) struct QuickAddServiceTests {
  /// Tuesday, 2026-11-24, 08:41 in Berlin.
  private static let now = Timestamp(microseconds: 1_795_506_060_000_000)

  private func withClients(_ body: @Sendable ([String: ToDoClient]) async throws -> Void) async throws {
    let items = MemoryToDoItemStore()
    let accounts = MemoryAccountStore(lists: items)
    let list = LocalToDoService(store: items)
    let access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: OwnerID("shared"), unixUsers: [])
    ) { list.list(of: $0) }
    let tokens = try await accounts.addUsersWithTokens().merging(["": ""]) { token, _ in token }
    let methods = MethodTable(
      serving: access, health: HealthMonitor(services: []), quickAdd: QuickAddParser(clock: TestClock(Self.now)))
    try await ListServiceTests.Transport.ttrpc.withClients(of: methods, tokens) { clients in
      try await body(
        clients.compactMapValues { client -> ToDoClient? in
          if case .ttrpc(let client) = client { client } else { nil }
        })
    }
  }

  /// Every 40th phrase of the corpus of ToDoQuickAdd: its locale and its sentence.
  private static let phrases: [(locale: String, sentence: String)] = {
    let folder = URL(filePath: #filePath).appending(path: "../../ToDoQuickAddTests/Phrases").standardized
    let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    let lines = files.filter { $0.pathExtension == "tsv" }.sorted { $0.path() < $1.path() }.flatMap { file in
      (try? String(contentsOf: file, encoding: .utf8))?.split(separator: "\n") ?? []
    }
    let phrases = lines.compactMap { line -> (String, String)? in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
      return columns.count < 6 || line.hasPrefix("#") ? nil : (String(columns[0]), String(columns[1]))
    }
    return stride(from: 0, to: phrases.count, by: 40).map { phrases[$0] }
  }()

  @Test func phrases_areRead_asTheCommandReadsThem() async throws {
    let zone = try #require(TimeZoneFiles().rules(of: "Europe/Berlin"))
    let phrases = Self.phrases
    try #require(phrases.count > 50)
    try await withClients { clients in
      let ann = try #require(clients["ann"])
      for (locale, text) in phrases {
        let sentence = QuickAddSentence(
          text, timeZone: "Europe/Berlin", languages: [String(locale.map { $0 == "_" ? "-" : $0 })],
          lists: ["Work", "home"])
        let parsed = try await ann.parseQuickAdd(sentence)
        let read = ItemSentenceReader(zone: zone, zoneName: "Europe/Berlin", locale: locale)
          .read(text, at: Self.now, lists: ["Work", "home"])
        #expect(parsed.content.title == read.title && parsed.content.due == read.due, "\(locale) \(text)")
        #expect(parsed.content.repetition == read.repetition && parsed.notice == read.notice, "\(locale) \(text)")
        #expect(parsed.content.tags == read.reading.tags && parsed.list == read.reading.list, "\(locale) \(text)")
        #expect(parsed.content.location?.label == read.place.map { Coordinate($0)?.text ?? $0 }, "\(locale) \(text)")
        #expect(parsed.alternatives.map(\.due) == read.alternatives.map(\.due), "\(locale) \(text)")
      }
    }
  }

  @Test func readOnlyCredentials_suffice_andNoneAreRefused() async throws {
    try await withClients { clients in
      let cat = try #require(clients["cat"])
      #expect(try await cat.parseQuickAdd(QuickAddSentence("Milk #a")).content.tags == ["a"])
      #expect(try await cat.info().capabilities.contains(.parseQuickAdd))
      let anyone = try #require(clients[""])
      await #expect(throws: ToDoError.unauthenticated) { try await anyone.parseQuickAdd(QuickAddSentence("Milk")) }
    }
  }

  @Test func invalidSentence_isRefused_withItsField() async throws {
    try await withClients { clients in
      let ann = try #require(clients["ann"])
      await #expect(throws: ToDoError.invalidRequest([FieldViolation("text", "must not be blank")])) {
        try await ann.parseQuickAdd(QuickAddSentence(" "))
      }
    }
  }

  @Test func earlierServer_doesNotReadSentences() async throws {
    let service = LocalToDoService(store: MemoryToDoItemStore())
    let methods = MethodTable(serving: service, health: HealthMonitor(services: [])).methods
      .filter { $0.name != ToDoMethods.parseQuickAdd.name }
    try await ListServiceTests.Transport.ttrpc.withClients(of: MethodTable(methods), ["": ""]) { clients in
      guard case .ttrpc(let client)? = clients[""] else { return }
      let error = await #expect(throws: RPCError.self) { try await client.parseQuickAdd(QuickAddSentence("Milk")) }
      #expect(error?.code == .unimplemented)
    }
  }
}
