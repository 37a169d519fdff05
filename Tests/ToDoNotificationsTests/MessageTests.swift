import FoundationEssentials
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoNotifications

/// Messages as requests.
@Suite struct MessageTests {
  private let zones = TimeZoneFiles()
  private let time = Timestamp(microseconds: 1_767_225_600_000_000)

  private func reminder(
    _ title: String = "Buy milk", due: DueDate? = nil, trigger: Reminder.Trigger? = nil, isLate: Bool = false,
    priority: Priority? = nil, list: String? = nil
  ) -> NotificationMessage {
    let reminder = NotificationMessage.Reminder(
      item: ItemID(high: 1, low: 2), title: title, due: due, priority: priority, trigger: trigger ?? .time(time),
      time: time, isLate: isLate, list: list)
    return NotificationMessage(id: "m1", time: time, content: .reminder(reminder))
  }

  private func ntfy(_ message: NotificationMessage, token: String? = nil) -> NtfyRequest {
    NtfyRequest(message, to: "https://ntfy.example/t", token: token) { zones.rules(of: $0) }
  }

  private func text(_ message: NotificationMessage) -> String { String(decoding: ntfy(message).body, as: UTF8.self) }

  @Test func ntfy_hasTitlePriorityAndTags() {
    let request = ntfy(reminder(due: .time(time)))
    #expect(request.url == "https://ntfy.example/t")
    #expect(
      request.headers == [
        MessageHeader("Title", "Buy milk"), MessageHeader("Priority", "default"), MessageHeader("Tags", "date"),
      ])
    #expect(String(decoding: request.body, as: UTF8.self) == "Due now (2026-01-01 00:00 UTC)")
  }

  @Test func ntfy_withToken_isAuthorized() {
    #expect(ntfy(reminder(), token: "tk_1").headers.last == MessageHeader("Authorization", "Bearer tk_1"))
  }

  @Test(arguments: [(Priority.low, "low"), (.medium, "default"), (.high, "high")])
  func ntfy_hasPriorityOfItem(_ priority: Priority, _ text: String) {
    #expect(ntfy(reminder(priority: priority)).headers[1] == MessageHeader("Priority", text))
  }

  @Test func text_hasDueDateAndLateness() throws {
    #expect(text(reminder()) == "Reminder")
    #expect(text(reminder(trigger: .arriving)) == "On arriving")
    #expect(text(reminder(trigger: .leaving)) == "On leaving")
    let day = try #require(CalendarDate(year: 2026, month: 5, day: 1))
    #expect(text(reminder(due: .date(day))) == "Due 2026-05-01")
    #expect(text(reminder(due: .date(day), isLate: true)) == "Due 2026-05-01 · late, for 2026-01-01 00:00 UTC")
    let trigger = Reminder.Trigger.day(.init(daysBefore: 0, minuteOfDay: 60, timeZone: "Europe/Berlin"))
    #expect(text(reminder(due: .time(time), trigger: trigger)) == "Due 2026-01-01 01:00 CET")
    for (minutes, words) in [(90, "in 1 h 30 min"), (2_881, "in 2 days 1 min"), (1_440, "in 1 day"), (-5, "5 min ago")]
    {
      let due = Timestamp(microseconds: time.microseconds + Int64(minutes) * 60_000_000)
      #expect(text(reminder(due: .time(due))).hasPrefix("Due \(words) ("))
    }
    #expect(text(reminder(due: .time(time), isLate: true)).hasPrefix("Due 2026-01-01 00:00 UTC · late"))
    let unknown = Reminder.Trigger.day(.init(daysBefore: 0, minuteOfDay: 60, timeZone: "Nowhere/Else"))
    #expect(text(reminder(due: .time(time), trigger: unknown)) == "Due 2026-01-01T00:00:00Z")
  }

  @Test func text_namesListAtItsEnd() throws {
    let day = try #require(CalendarDate(year: 2026, month: 5, day: 1))
    #expect(text(reminder(due: .date(day), list: "Work")) == "Due 2026-05-01 · Work")
    #expect(text(reminder(list: "Work")) == "Reminder · Work")
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let request = try #require(
      WebhookRequest(reminder(list: "Work"), to: "https://a.example", secret: secret, at: time))
    #expect(String(decoding: request.body, as: UTF8.self).contains(#""list":"Work","title":"Buy milk""#))
  }

  @Test(arguments: ["Grüße", "a\r\nX-Injected: b", " a", "=?UTF-8?B?YQ==?=", String(repeating: "漢字", count: 170)])
  func title_whenNotPlain_isEncodedWords(_ title: String) throws {
    let value = NtfyRequest.headerText(title)
    #expect(value.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    let words = value.split(separator: " ")
    let decoded = try words.map { word in
      #expect(word.utf8.count <= 75 && word.hasPrefix("=?UTF-8?B?") && word.hasSuffix("?="))
      return String(decoding: try #require(Data(base64Encoded: String(word.dropFirst(10).dropLast(2)))), as: UTF8.self)
    }
    #expect(decoded.joined() == title)
  }

  /// The example of the specification's libraries.
  @Test func signature_isThatOfStandardWebhooks() {
    let signature = WebhookSignature(
      secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", id: "msg_p5jXN8AQM9LWM0D4loKWxJek", seconds: 1_614_265_330,
      body: Array(#"{"test": 2432232314}"#.utf8))
    #expect(signature?.description == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
  }

  @Test(arguments: ["", "whsec_", "whsec_?", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"])
  func signature_withoutSecret_isNil(_ secret: String) {
    #expect(WebhookSignature(secret: secret, id: "m", seconds: 1, body: []) == nil)
    #expect(WebhookRequest(reminder(), to: "https://a.example", secret: secret, at: time) == nil)
  }

  @Test func webhook_isSignedJSON() throws {
    let now = Timestamp(microseconds: time.microseconds + 5_500_000)
    let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    let message = reminder("Grüße /", due: .time(time), trigger: .before(seconds: 0), isLate: true)
    let request = try #require(WebhookRequest(message, to: "https://a.example/h", secret: secret, at: now))
    let id = ItemID(high: 1, low: 2).description
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"data":{"item":{"dueTime":"2026-01-01T00:00:00Z","id":"\#(id)","title":"Grüße /"},"#
        + #""reminder":{"late":true,"time":"2026-01-01T00:00:00Z","trigger":"PT0S"}},"#
        + #""timestamp":"2026-01-01T00:00:00Z","type":"todo.reminder"}"#)
    let seconds = time.microseconds / 1_000_000 + 5
    let signature = WebhookSignature(secret: secret, id: "m1", seconds: seconds, body: request.body)
    #expect(
      try request.headers == [
        MessageHeader("Content-Type", "application/json"), MessageHeader("webhook-id", "m1"),
        MessageHeader("webhook-timestamp", "\(seconds)"),
        MessageHeader("webhook-signature", #require(signature).description),
      ])
  }

  @Test func test_isMessageWithoutItem() throws {
    let message = NotificationMessage(id: "t", time: time, content: .test)
    #expect(text(message) == "Reminders will arrive here.")
    let request = try #require(
      WebhookRequest(
        message, to: "https://a.example/h", secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", at: time))
    #expect(
      String(decoding: request.body, as: UTF8.self)
        == #"{"data":{},"timestamp":"2026-01-01T00:00:00Z","type":"todo.test"}"#)
  }

  @Test func message_ofEntry_isLateAfterAMinute() {
    let item = ToDoItem(
      id: ItemID(high: 1, low: 2), number: ItemNumber(1),
      content: ItemContent(title: "a", reminders: [Reminder(.time(time))]), createdAt: time, updatedAt: time,
      revision: Revision(1))
    let entry = ReminderSchedule.Entry(index: 0, time: time, tellTime: time)
    func isLate(after microseconds: Int64) -> Bool {
      let now = Timestamp(microseconds: time.microseconds + microseconds)
      guard case .reminder(let reminder) = NotificationMessage(item, entry, at: now).content else { return false }
      return reminder.isLate
    }
    #expect(!isLate(after: 59_999_999) && isLate(after: 60_000_000))
  }
}
