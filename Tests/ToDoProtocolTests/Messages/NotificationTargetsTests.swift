import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// The messages of targets of notifications.
@Suite struct NotificationTargetsTests {
  private static let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  private static let info = NotificationTargetInfo(
    id: NotificationTargetID(high: .max, low: 1), kind: .ntfy, origin: "https://[::1]:8443", hasSecret: true)

  @Test(arguments: NotificationTarget.Kind.allCases, [nil, key])
  func addRequest_roundTrip_preservesValue(_ kind: NotificationTarget.Kind, _ secret: String?) throws {
    let target = NewNotificationTarget(kind: kind, url: "https://ntfy.sh/t", secret: secret)
    #expect(try NotificationMethods.addTarget.request.roundTrip(target) == target)
  }

  @Test func addRequest_withoutTarget_isRejected() {
    expectInvalidRequest(["target"]) { try NotificationMethods.addTarget.request.decode(ProtobufBytes()) }
  }

  @Test(arguments: [0, 4] as [Int64]) func addRequest_whenKindIsUnknown_isRejected(_ kind: Int64) {
    let message = ProtobufBytes().field(1, ProtobufBytes().field(1, kind).field(2, "https://ntfy.sh/t"))
    expectInvalidRequest(["target.kind"]) { try NotificationMethods.addTarget.request.decode(message) }
  }

  @Test(arguments: [nil, key]) func addResponse_roundTrip_preservesValue(_ secret: String?) throws {
    let added = AddedNotificationTarget(target: Self.info, madeSecret: secret)
    #expect(try NotificationMethods.addTarget.response.roundTrip(added) == added)
  }

  @Test func addResponse_whenSecretIsInvalid_isMalformed() {
    let id = Self.info.id.description
    let message = ProtobufBytes().field(1, ProtobufBytes().field(1, id)).field(2, "whsec_\u{1B}[2J")
    #expect(throws: RPCError.self) { try NotificationMethods.addTarget.response.decode(message) }
    #expect(throws: RPCError.self) { try NotificationMethods.addTarget.response.decode(ProtobufBytes()) }
  }

  @Test func listResponse_roundTrip_preservesValues() throws {
    var later = Self.info
    (later.kind, later.hasSecret, later.needsConfirmation) = (nil, false, true)
    later.lastFailure = NotificationFailure(
      time: Timestamp(microseconds: 1_700_000_000_123_456), reason: "the target answered with HTTP status 403")
    #expect(try NotificationMethods.listTargets.response.roundTrip([Self.info, later]) == [Self.info, later])
    #expect(try NotificationMethods.listTargets.response.roundTrip([]) == [])
  }

  @Test(
    arguments: [
      (1, "1"), (1, ""), (3, "https://a\u{1B}[2J"), (3, String(repeating: "a", count: 301)),
    ] as [(UInt64, String)])
  func listResponse_whenInvalid_isMalformed(_ field: UInt64, _ text: String) {
    let target = ProtobufBytes().field(1, Self.info.id.description).field(3, "https://a").field(field, text)
    let message = ProtobufBytes().field(1, target)
    #expect(throws: RPCError.self) { try NotificationMethods.listTargets.response.decode(message) }
  }

  @Test(arguments: ["a\u{1B}[2J", "a\nb", String(repeating: "a", count: 1_001)])
  func listResponse_whenReasonIsInvalid_isMalformed(_ reason: String) {
    let failure = ProtobufBytes().field(1, ProtobufBytes().field(1, 1 as Int64)).field(2, reason)
    let target = ProtobufBytes().field(1, Self.info.id.description).field(3, "https://a").field(5, failure)
    #expect(throws: RPCError.self) {
      try NotificationMethods.listTargets.response.decode(ProtobufBytes().field(1, target))
    }
  }

  @Test func confirmRequest_roundTrip_preservesValue() throws {
    let code = NotificationTargetCode(id: Self.info.id, code: "0123-ABCD")
    #expect(try NotificationMethods.confirmTarget.request.roundTrip(code) == code)
  }

  @Test(arguments: [0, 101]) func confirmRequest_whenCodeIsNoText_isRejected(_ size: Int) {
    let message = ProtobufBytes().field(1, Self.info.id.description).field(2, String(repeating: "A", count: size))
    expectInvalidRequest(["code"]) { try NotificationMethods.confirmTarget.request.decode(message) }
  }

  @Test func references_roundTrip_preserveID() throws {
    #expect(try NotificationMethods.removeTarget.request.roundTrip(Self.info.id) == Self.info.id)
    #expect(try NotificationMethods.testTarget.request.roundTrip(Self.info.id) == Self.info.id)
  }

  @Test(arguments: ["", "1", "default"]) func reference_whenIDIsInvalid_isRejected(_ id: String) {
    for method in [NotificationMethods.removeTarget, NotificationMethods.testTarget] {
      expectInvalidRequest(["id"]) { try method.request.decode(ProtobufBytes().field(1, id)) }
    }
  }
}
