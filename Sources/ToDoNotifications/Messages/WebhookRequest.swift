import CToDoSodium
import FoundationEssentials
import ToDoModel

/// A message as a signed request to a webhook: https://www.standardwebhooks.com.
struct WebhookRequest: Equatable {
  let url: String
  let headers: [MessageHeader]
  let body: [UInt8]

  /// Returns `nil` if the secret is not a webhook's.
  ///
  /// - Parameters:
  ///   - secret: `whsec_` and the key in base64.
  ///   - now: the time of this attempt, which the signature contains.
  init?(_ message: NotificationMessage, to url: String, secret: String, at now: Timestamp) {
    let body = WebhookBody(message).bytes
    let seconds = now.microseconds.flooredDivision(by: 1_000_000).quotient
    guard let signature = WebhookSignature(secret: secret, id: message.id, seconds: seconds, body: body) else {
      return nil
    }
    self.url = url
    self.body = body
    headers = [
      MessageHeader("Content-Type", "application/json"), MessageHeader("webhook-id", message.id),
      MessageHeader("webhook-timestamp", "\(seconds)"), MessageHeader("webhook-signature", signature.description),
    ]
  }
}

/// A webhook's signature: HMAC-SHA256 over the request's ID, time and body.
struct WebhookSignature: CustomStringConvertible {
  /// The value of the header `webhook-signature`.
  let description: String

  /// Returns `nil` if the secret has another form.
  init?(secret: String, id: String, seconds: Int64, body: [UInt8]) {
    guard let key = WebhookKey(secret) else { return nil }
    let hash = Self.hmac(key: key.bytes, Array("\(id).\(seconds).".utf8) + body)
    description = "v1,\(Data(hash).base64EncodedString())"
  }

  private static func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var state = crypto_auth_hmacsha256_state()
    var hash = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_BYTES))
    crypto_auth_hmacsha256_init(&state, key, key.count)
    crypto_auth_hmacsha256_update(&state, message, UInt64(message.count))
    crypto_auth_hmacsha256_final(&state, &hash)
    return hash
  }
}

/// The JSON body of a webhook's request. The operator's guide describes it.
private struct WebhookBody: Encodable {
  private struct Item: Encodable {
    let id: String
    let title: String
    let dueDate: String?
    let dueTime: String?
    let list: String?
  }

  private struct Reminder: Encodable {
    let trigger: String
    let time: String
    let late: Bool
  }

  private struct Content: Encodable {
    let item: Item?
    let reminder: Reminder?
  }

  private let type: String
  private let timestamp: String
  private let data: Content

  init(_ message: NotificationMessage) {
    timestamp = message.time.description
    switch message.content {
    case .test:
      type = "todo.test"
      data = Content(item: nil, reminder: nil)
    case .reminder(let reminder):
      type = "todo.reminder"
      var (date, time): (String?, String?) = (nil, nil)
      switch reminder.due {
      case .date(let day): date = day.description
      case .time(let instant): time = instant.description
      case nil: break
      }
      data = Content(
        item: Item(
          id: reminder.item.description, title: reminder.title, dueDate: date, dueTime: time,
          list: reminder.list),
        reminder: Reminder(
          trigger: reminder.trigger.description, time: reminder.time.description, late: reminder.isLate))
    }
  }

  var bytes: [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // A value of texts and flags is always encodable.
    return (try? encoder.encode(self)).map(Array.init) ?? []
  }
}
