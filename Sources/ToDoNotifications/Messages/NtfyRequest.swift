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

  /// Encodes a text as RFC 2047 does, unless it can stand in a header as it is. An encoded word has at most 75 characters.
  static func headerText(_ text: String) -> String {
    EncodedWords.isPlain(text) ? text : EncodedWords.encode(text, size: 45).joined(separator: " ")
  }
}

/// A header of a message's request.
struct MessageHeader: Equatable {
  let name: String
  let value: String

  init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}
