#if HTTP
import Foundation
import NIOCore
import Synchronization
import Testing
import ToDoHTTPTransport
import ToDoModel
import ToDoRPC
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoTestSupport

@testable import todo_server

/// Positions of phones over HTTP.
@Suite(.timeLimited) struct PhoneEndpointTests {
  private struct NoTester: NotificationTester {
    func sendTest(to target: NotificationTarget) async throws {}
  }

  private final class Sent: Sendable {
    let titles = Mutex<[String]>([])
  }

  private let accounts = MemoryAccountStore()
  private let list: LocalToDoService
  private let sent = Sent()
  private let access: AccountAccess
  private let token: String
  private let ann = User.sample("ann").list

  init() async throws {
    let wall = TestClock()
    let list = LocalToDoService(store: MemoryToDoItemStore(), clock: wall)
    let timing = PositionTiming(clock: wall, uptime: { .seconds(wall.now().microseconds / 1_000_000) }) { _ in
      throw CancellationError()
    }
    let book = PositionBook(ListDirectory(accounts), accounts: accounts, timing: timing) { [sent] _, item, _, _ in
      sent.titles.withLock { $0.append(item.title) }
    } list: {
      list.list(of: $0, countingFor: $1)
    }
    self.list = list
    access = AccountAccess(
      accounts: accounts, policy: AccessPolicy(anonymousList: .local, unixUsers: []),
      notifications: UserNotifications(accounts, tester: NoTester()), positions: book
    ) { list.list(of: $0) }
    try await accounts.addUser(.sample("ann"))
    let bearer = BearerToken()
    token = bearer.description
    try await accounts.addToken(
      AccessToken(
        id: bearer.id, user: .sample("ann"), secretHash: bearer.secretHash, isReadOnly: true,
        createdAt: Timestamp(microseconds: 0), expiresAt: nil))
    try await accounts.addNotificationTarget(.sample(1), of: ann)
    let shop = Location(name: "Shop", coordinate: Coordinate(latitude: 48.5, longitude: 2.5))
    _ = try await list.list(of: ann).addItem(
      NewItem(id: ItemID(), content: ItemContent(title: "Milk", location: shop, reminders: [Reminder(.arriving)])))
  }

  private var ownTracks: String { #"{"_type":"location","lat":48.5,"lon":2.5,"acc":20}"# }

  private func traccar(_ token: String) -> String {
    #"{"location":{"coords":{"latitude":48.5,"longitude":2.5,"accuracy":20}},"device_id":"\#(token)"}"#
  }

  private func post(
    _ body: String, to program: PhoneEndpoint.Program, authorization: String? = nil
  ) async -> (status: Int, text: String, type: String?) {
    var metadata = Metadata()
    if let authorization { metadata.append("authorization", authorization) }
    let call = CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
    let response = await PhoneEndpoint(program: program, reports: PhoneReports(access)).respond(
      to: HTTPEndpointRequest(method: "POST", body: ByteBuffer(string: body), call: call))
    return (response.status, String(buffer: response.body), response.contentType)
  }

  private func basic(_ password: String) -> String { "Basic " + Data("phone:\(password)".utf8).base64EncodedString() }

  @Test(arguments: ["Bearer", "Basic", "basic"]) func ownTracks_isAnsweredWithAnArray(_ scheme: String) async {
    let authorization = scheme == "Bearer" ? "Bearer \(token)" : scheme + basic(token).dropFirst(5)
    let response = await post(ownTracks, to: .ownTracks, authorization: authorization)
    #expect(response.status == 200 && response.text == "[]" && response.type == "application/json")
    #expect(sent.titles.withLock(\.self) == ["Milk"])
  }

  @Test func traccar_hasTheTokenInItsMessage() async {
    let response = await post(traccar(token), to: .traccar)
    #expect(response.status == 200 && response.text == "")
    #expect(sent.titles.withLock(\.self) == ["Milk"])
  }

  @Test func otherMessage_needsNoToken_andReportsNothing() async {
    #expect(await post(#"{"_type":"lwt"}"#, to: .ownTracks).status == 200)
    #expect(await post("{}", to: .traccar).status == 200)
    #expect(sent.titles.withLock(\.self) == [])
  }

  @Test(arguments: [nil, "Basic", "Basic !", "Bearer todo_0_0", "Digest a"])
  func wrongCredentials_areRefused(_ authorization: String?) async {
    let response = await post(ownTracks, to: .ownTracks, authorization: authorization)
    #expect(response.status == 401)
    #expect(await post(traccar("todo_0_0"), to: .traccar).status == 401)
    #expect(await post(ownTracks, to: .ownTracks, authorization: basic("todo_0_0")).status == 401)
    #expect(sent.titles.withLock(\.self) == [])
  }

  /// Who has no token learns nothing of what the body must be.
  @Test(arguments: [#"{"_type":"location"}"#, "{", #"{"_type":"lwt"}"#])
  func wrongToken_isRefusedBeforeTheBodyIsRead(_ body: String) async {
    #expect(await post(body, to: .ownTracks, authorization: basic("todo_0_0")).status == 401)
    #expect(await post(body, to: .traccar, authorization: basic("todo_0_0")).status == 401)
  }

  /// Wrong tokens count as strikes of the connection, as those of other calls do.
  @Test(arguments: [true, false]) func wrongToken_isCounted(isValid: Bool) async {
    let strikes = Atomic(0)
    var metadata = Metadata()
    metadata.append("authorization", basic("todo_0_0"))
    let connection = CallConnection(peer: Peer()) { strikes.add(1, ordering: .relaxed) }
    let call = CallContext(metadata: metadata, connection: connection)
    _ = await PhoneEndpoint(program: .ownTracks, reports: PhoneReports(access)).respond(
      to: HTTPEndpointRequest(method: "POST", body: ByteBuffer(string: isValid ? ownTracks : "{"), call: call))
    #expect(strikes.load(ordering: .relaxed) == 1)
  }

  @Test func invalidMessage_isRefused_withoutItsValues() async {
    let body = #"{"_type":"location","lat":98.5,"lon":2.5}"#
    let response = await post(body, to: .ownTracks, authorization: basic(token))
    #expect(response.status == 400 && response.text == "lat must be set, and lie in -90...90\n")
    let ahead = #"{"_type":"location","lat":48.5,"lon":2.5,"tst":4102444800}"#
    let refused = await post(ahead, to: .ownTracks, authorization: basic(token))
    #expect(refused.status == 400 && !refused.text.contains("48.5") && refused.text.contains("position.time"))
  }

  /// Nothing is sent to an address before it is confirmed.
  @Test func userWithoutConfirmedTarget_isRefused() async throws {
    _ = try await accounts.removeNotificationTarget(NotificationTarget.sample(1).id, of: ann)
    try await accounts.addNotificationTarget(.sample(2, .email, secret: "unconfirmed:0123456789:0"), of: ann)
    #expect(await post(ownTracks, to: .ownTracks, authorization: basic(token)).status == 409)
  }

  /// Nobody would be told, so nothing is acknowledged.
  @Test func userWithoutTargets_isRefused() async throws {
    _ = try await accounts.removeNotificationTarget(NotificationTarget.sample(1).id, of: ann)
    let response = await post(ownTracks, to: .ownTracks, authorization: basic(token))
    #expect(response.status == 409 && response.text.contains("todo notify add"))
    let items = try await list.list(of: ann).items(ItemQuery()).items
    #expect(items.flatMap(\.reminders).map(\.acknowledged) == [nil])
  }
}
#endif
