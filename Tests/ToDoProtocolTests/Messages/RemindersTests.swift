import Testing
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoTestSupport

/// The messages of reminders.
@Suite struct RemindersTests {
  private static let time = Timestamp(microseconds: 1_777_636_800_000_000)
  private static let key = ReminderKey(
    list: ListID(high: 1, low: 1), item: ItemID(high: 1, low: 2), trigger: .before(seconds: 60), time: time)

  private static let due = DueReminder(
    key: key, number: ItemNumber(3), title: "Milk", acknowledged: time, snoozedUntil: time + 60, tellTime: time + 60)

  @Test func watchRequest_roundTrip_preservesLists() throws {
    for lists in [[], [.default, ListID(high: 1, low: 2)]] as [[ListID]] {
      #expect(try ReminderMethods.watchReminders.request.roundTrip(lists) == lists)
    }
  }

  @Test func watchRequest_whenInvalid_namesTheField() {
    let request = ReminderMethods.watchReminders.request
    expectInvalidRequest(["lists[1]"]) {
      try request.decode(ProtobufBytes().field(1, "default").field(1, "work"))
    }
    expectInvalidRequest(["lists"]) {
      try request.decode((0..<202).reduce(ProtobufBytes()) { bytes, _ in bytes.field(1, "default") })
    }
  }

  @Test(
    arguments: [
      .due(due), .due(DueReminder(key: key, number: .unknown, title: "", tellTime: time)), .removed(key),
      .caughtUp(pending: 0, next: nil), .caughtUp(pending: 3, next: time),
    ] as [ReminderEvent])
  func event_roundTrip_preservesValue(_ event: ReminderEvent) throws {
    #expect(try ReminderMethods.watchReminders.response.roundTrip(.event(event)) == .event(event))
  }

  @Test func event_ofLaterVersion_isUnknown() throws {
    #expect(try ReminderMethods.watchReminders.response.decode(ProtobufBytes().field(9, "new")) == .unknown)
  }

  private static func reference(_ invalid: UInt64? = nil, withoutField missing: UInt64? = nil) -> ProtobufBytes {
    let time = ProtobufBytes().field(1, invalid == 4 ? Int64.max : 7)
    let reminder = invalid == 3 ? ProtobufBytes() : ProtobufBytes().field(2, Int64(60))
    var message = ProtobufBytes().field(1, invalid == 1 ? "work" : "default")
    if missing != 2 { message = message.field(2, invalid == 2 ? "1" : key.item.description) }
    if missing != 3 { message = message.field(3, reminder) }
    if missing != 4 { message = message.field(4, time) }
    return message
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64]) func reference_whenInvalid_isRejected(_ field: UInt64) throws {
    let request = ReminderMethods.acknowledgeReminder.request
    #expect(try request.decode(ProtobufBytes().field(1, Self.reference())).key.trigger == .before(seconds: 60))
    let name = [1: "list", 2: "item_id", 3: "reminder", 4: "time"][field] ?? ""
    expectInvalidRequest(["reference.\(name)"]) {
      try request.decode(ProtobufBytes().field(1, Self.reference(field)))
    }
    let response = ReminderMethods.watchReminders.response
    #expect(throws: RPCError.self) { try response.decode(ProtobufBytes().field(2, Self.reference(field))) }
  }

  @Test(arguments: [2, 3, 4] as [UInt64]) func reference_whenIncomplete_isRejected(_ field: UInt64) {
    let name = [2: "item_id", 3: "reminder", 4: "time"][field] ?? ""
    expectInvalidRequest(["reference.\(name)"]) {
      try ReminderMethods.acknowledgeReminder.request.decode(
        ProtobufBytes().field(1, Self.reference(withoutField: field)))
    }
    #expect(throws: RPCError.self) {
      try ReminderMethods.watchReminders.response.decode(
        ProtobufBytes().field(2, Self.reference(withoutField: field)))
    }
  }

  @Test func acknowledgment_whenInvalid_namesTheField() {
    let request = ReminderMethods.acknowledgeReminder.request
    expectInvalidRequest(["reference"]) { try request.decode(ProtobufBytes()) }
    expectInvalidRequest(["snooze_time"]) {
      try request.decode(
        ProtobufBytes().field(1, Self.reference()).field(2, ProtobufBytes().field(1, Int64.max)))
    }
  }

  @Test func acknowledgment_roundTrip_preservesValue() throws {
    let values = [
      ReminderAcknowledgment(Self.key), ReminderAcknowledgment(Self.key, snoozingUntil: Self.time, onlyIfDue: true),
      ReminderAcknowledgment(Self.key, confirming: Self.time),
    ]
    for value in values { #expect(try ReminderMethods.acknowledgeReminder.request.roundTrip(value) == value) }
    let outcomes = [true, false].map {
      AcknowledgedReminder(
        isAcknowledged: $0, reminder: Reminder(.time(Self.time), acknowledged: Self.time, snoozedUntil: Self.time + 1))
    }
    for value in outcomes { #expect(try ReminderMethods.acknowledgeReminder.response.roundTrip(value) == value) }
  }

  @Test func response_whenInvalid_isMalformed() {
    #expect(throws: RPCError.self) { try ReminderMethods.acknowledgeReminder.response.decode(ProtobufBytes()) }
    let response = ReminderMethods.watchReminders.response
    let reminder = ProtobufBytes().field(1, Self.reference())
    for invalid in [reminder.field(2, Int64(-1)), reminder] {
      #expect(throws: RPCError.self) { try response.decode(ProtobufBytes().field(1, invalid)) }
    }
    #expect(throws: RPCError.self) {
      try response.decode(ProtobufBytes().field(3, ProtobufBytes().field(1, Int64(-1))))
    }
  }
}

private func + (time: Timestamp, seconds: Int64) -> Timestamp {
  Timestamp(microseconds: time.microseconds + seconds * 1_000_000)
}
