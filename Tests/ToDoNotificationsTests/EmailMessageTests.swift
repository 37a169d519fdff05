import FoundationEssentials
import Testing
import ToDoModel
import ToDoRules

@testable import ToDoNotifications

/// Messages as emails.
@Suite struct EmailMessageTests {
  private let time = Timestamp(microseconds: 1_764_230_405_999_999)
  private let sender: EmailAddress
  private let recipient: EmailAddress

  init() throws {
    sender = try EmailAddress(validating: "reminders@todo.example")
    recipient = try EmailAddress(validating: "ann@example.org")
  }

  private func email(_ subject: String, body: String = "Due now", at time: Timestamp? = nil) -> String {
    EmailMessage(
      id: "0190-1", from: sender, to: recipient, date: time ?? self.time, subject: subject, body: body
    ).text
  }

  private func subject(of text: String) throws -> String {
    let unfolded = text.replacing("\r\n ", with: " ")
    let line = try #require(unfolded.split(separator: "\r\n").first { $0.hasPrefix("Subject: ") })
    let words = line.dropFirst("Subject: ".count).split(separator: " ")
    return try words.map { word in
      let data = try #require(Data(base64Encoded: String(word.dropFirst("=?UTF-8?B?".count).dropLast(2))))
      return try #require(String(bytes: data, encoding: .utf8))
    }.joined()
  }

  @Test func email_isCompleteAndMadeByAProgram() {
    #expect(
      email("Buy milk")
        == """
        Date: Thu, 27 Nov 2025 08:00:05 +0000
        From: reminders@todo.example
        To: ann@example.org
        Message-ID: <0190-1@todo.example>
        Subject: Buy milk
        MIME-Version: 1.0
        Content-Type: text/plain; charset=utf-8
        Content-Transfer-Encoding: base64
        Auto-Submitted: auto-generated

        RHVlIG5vdw==

        """.replacing("\n", with: "\r\n"))
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 +0000"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"),
    (1_735_689_599, "Tue, 31 Dec 2024 23:59:59 +0000"), (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
  ])
  func date_isThatOfTheEvent(_ seconds: Int64, _ text: String) {
    #expect(email("a", at: Timestamp(microseconds: seconds * 1_000_000)).hasPrefix("Date: \(text)\r\n"))
  }

  @Test(arguments: [
    "Grüße", "a\r\nBcc: eve@example.org", "a\n\nb", "\rX: y", "\u{0}", " a", "a ", "=?UTF-8?B?YQ==?=", "\u{2028}a",
    "👨‍👩‍👧‍👦 " + String(repeating: "🎉", count: 100), String(repeating: "a", count: 2_000),
    String(repeating: "漢字", count: 300),
  ])
  func subject_thatIsNotPlainOrLong_isEncodedInShortLines(_ title: String) throws {
    let text = email(title)
    #expect(text.utf8.allSatisfy { $0 == 0x0D || $0 == 0x0A || (0x20...0x7E).contains($0) })
    #expect(try subject(of: text).utf8.elementsEqual(title.utf8))
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.contains("\r") && !$0.contains("\n") })
    let names = lines.prefix { !$0.isEmpty }.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != ":" } }
    #expect(
      names == [
        "Date", "From", "To", "Message-ID", "Subject", "MIME-Version", "Content-Type", "Content-Transfer-Encoding",
        "Auto-Submitted",
      ])
  }

  @Test(arguments: ["", "a", "Grüße\n.\n\nEnde\n", String(repeating: "漢字", count: 3_000), "a\r\n.\r\nMAIL FROM:<x>"])
  func body_isBase64InShortLines(_ body: String) throws {
    let parts = email("a", body: body).components(separatedBy: "\r\n\r\n")
    let lines = parts.dropFirst().joined().components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 76 })
    let data = try #require(Data(base64Encoded: lines.joined()))
    let expected = body.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
    #expect(String(decoding: data, as: UTF8.self).utf8.elementsEqual(expected.utf8))
  }

  @Test func reminder_hasTheTextsOfOtherMessages() throws {
    let reminder = NotificationMessage.Reminder(
      item: ItemID(high: 1, low: 2), title: "Buy milk", due: .time(time), priority: nil, trigger: .time(time),
      time: time,
      isLate: false, list: "Work")
    let message = NotificationMessage(id: "m-1", time: time, content: .reminder(reminder))
    let email = EmailMessage(message, from: sender, to: recipient) { TimeZoneFiles().rules(of: $0) }
    let expected = EmailMessage(
      id: "m-1", from: sender, to: recipient, date: time, subject: "Buy milk",
      body: "Buy milk\n\nDue now (2025-11-27 08:00:05 UTC) · Work\n")
    #expect(email == expected)
  }

  @Test func confirmation_hasTheCode() throws {
    let email = EmailMessage(code: "ABCDE12345", id: "c-1", from: sender, to: recipient, date: time)
    #expect(email.text.contains("\r\nSubject: Confirm reminders by email\r\n"))
    let body = email.text.components(separatedBy: "\r\n\r\n").dropFirst().joined().replacing("\r\n", with: "")
    let text = String(decoding: try #require(Data(base64Encoded: body)), as: UTF8.self)
    #expect(text.contains("todo notify confirm NUMBER ABCDE12345\r\n"))
  }
}
