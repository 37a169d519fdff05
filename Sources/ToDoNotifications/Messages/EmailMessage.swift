import FoundationEssentials
import ToDoModel
import ToDoSMTP

/// A message as an email: RFC 5322 and MIME, in ASCII and short lines, whatever the texts contain.
struct EmailMessage: Equatable {
  /// The headers and the body. Every line ends with CR LF.
  let text: String

  /// - Parameters:
  ///   - id: identifies the message, so that a reader recognizes another attempt: letters, digits and hyphens.
  ///   - date: the event's time.
  ///   - subject: any text.
  ///   - body: any text, whose lines end with LF.
  init(
    id: String, from sender: EmailAddress, to recipient: EmailAddress, date: Timestamp, subject: String, body: String
  ) {
    let headers = [
      "Date: \(Self.dateText(date))", "From: \(sender)", "To: \(recipient)", "Message-ID: <\(id)@\(sender.domain)>",
      "Subject: \(Self.subjectText(subject))", "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8",
      "Content-Transfer-Encoding: base64", "Auto-Submitted: auto-generated",
    ]
    let encoded = Data(body.replacing("\n", with: "\r\n").utf8).base64EncodedString().utf8
    let lines = stride(from: 0, to: encoded.count, by: Self.lineSize).map { start in
      String(decoding: encoded.dropFirst(start).prefix(Self.lineSize), as: UTF8.self)
    }
    text = (headers + [""] + lines).map { "\($0)\r\n" }.joined()
  }

  /// The size of a base64 line, in characters.
  private static let lineSize = 76
  /// The maximum size of a subject that is not encoded.
  private static let plainSize = 60
  /// The size of an encoded word's text: with `Subject: `, its line has at most 76 characters.
  private static let wordSize = 39

  /// Encodes and folds a subject. Control characters are encoded as well, so that none ends the header.
  private static func subjectText(_ subject: String) -> String {
    if subject.utf8.count <= plainSize, EncodedWords.isPlain(subject) { return subject }
    return EncodedWords.encode(subject, size: wordSize).joined(separator: "\r\n ")
  }

  /// Returns a time in UTC in the format of RFC 5322, such as `Fri, 27 Nov 2026 08:00:00 +0000`.
  private static func dateText(_ time: Timestamp) -> String {
    let seconds = time.microseconds.flooredDivision(by: 1_000_000).quotient
    let (days, second) = seconds.flooredDivision(by: 86_400)
    let date = CalendarDate(daysSinceEpoch: Int(days))
    // 1970-01-01 was a Thursday.
    let weekday = weekdays[Int((days + 4).flooredDivision(by: 7).remainder)]
    func digits(_ value: Int, _ count: Int = 2) -> String {
      String(repeating: "0", count: max(0, count - String(value).count)) + String(value)
    }
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { digits(Int($0)) }.joined(separator: ":")
    return "\(weekday), \(digits(date.day)) \(months[date.month - 1]) \(digits(date.year, 4)) \(clock) +0000"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
}

extension EmailMessage {
  /// Creates the email of a message, with the same texts as elsewhere: the title and the due date.
  init(
    _ message: NotificationMessage, from sender: EmailAddress, to recipient: EmailAddress,
    zone: (String) -> (any TimeZoneRules)?
  ) {
    let text = MessageText(message, zone: zone)
    self.init(
      id: message.id, from: sender, to: recipient, date: message.time, subject: text.title,
      body: "\(text.title)\n\n\(text.body)\n")
  }

  /// Creates the email with the code that confirms an address.
  init(code: String, id: String, from sender: EmailAddress, to recipient: EmailAddress, date: Timestamp) {
    self.init(
      id: id, from: sender, to: recipient, date: date, subject: "Confirm reminders by email",
      body: """
        Someone wants todo to send reminders to this address. If it was you, confirm it within 24 hours; NUMBER is the one that 'todo notify' shows:

            todo notify confirm NUMBER \(code)

        If it was not you, do nothing: no other message is sent.

        """)
  }
}
