import FoundationEssentials
import ToDoModel

/// A message as a request to an ntfy server: https://docs.ntfy.sh/publish.
struct NtfyRequest: Equatable {
  let url: String
  let headers: [MessageHeader]
  let body: [UInt8]

  /// - Parameters:
  ///   - url: the URL of the topic.
  ///   - token: an access token; `nil` for none.
  init(
    _ message: NotificationMessage, to url: String, token: String?, zone: (String) -> (any TimeZoneRules)?
  ) {
    let text = MessageText(message, zone: zone)
    self.url = url
    body = Array(text.body.utf8)
    var headers = [
      MessageHeader("Title", Self.headerText(text.title)), MessageHeader("Priority", Self.priority(of: message)),
      MessageHeader("Tags", "date"),
    ]
    if let token { headers.append(MessageHeader("Authorization", "Bearer \(token)")) }
    self.headers = headers
  }

  private static func priority(of message: NotificationMessage) -> String {
    guard case .reminder(let reminder) = message.content else { return "default" }
    return switch reminder.priority {
    case .high: "high"
    case .low: "low"
    case .medium, nil: "default"
    }
  }

  /// Encodes a text as RFC 2047 does, unless it is printable ASCII that no reader takes for an encoded word.
  static func headerText(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
    if isPlain, text.utf8.first != 0x20, text.utf8.last != 0x20 { return text }
    var words: [String] = []
    var word = ""
    for scalar in text.unicodeScalars {
      // An encoded word has at most 75 characters.
      if word.utf8.count + UTF8.width(scalar) > 45 {
        words.append(word)
        word = ""
      }
      word.unicodeScalars.append(scalar)
    }
    words.append(word)
    return words.map { "=?UTF-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: " ")
  }
}

/// A header of a message's request.
struct MessageHeader: Equatable {
  let name: String
  let value: String

  init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}
