package import ToDoModel

/// A message with its sender and its recipient.
package struct SMTPMessage: Equatable, Sendable {
  /// The sender, who gets undeliverable messages back.
  package let sender: EmailAddress
  /// The only recipient.
  package let recipient: EmailAddress
  /// The headers and the body as ASCII.
  package let text: String

  /// Creates a message.
  package init(from sender: EmailAddress, to recipient: EmailAddress, text: String) {
    (self.sender, self.recipient, self.text) = (sender, recipient, text)
  }

  /// The text as DATA carries it: every line ends with CR LF, a line that begins with a dot gets another one, and a line
  /// with a dot is the end. Any CR and any LF ends a line, so that no server sees another end.
  var data: [UInt8] {
    var data: [UInt8] = []
    var isLineStart = true
    var last: UInt8 = 0
    for byte in text.utf8 {
      defer { last = byte }
      switch byte {
      case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"): continue
      case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
        data += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        isLineStart = true
      default:
        if isLineStart, byte == UInt8(ascii: ".") { data.append(byte) }
        data.append(byte)
        isLineStart = false
      }
    }
    return data + Array((isLineStart ? ".\r\n" : "\r\n.\r\n").utf8)
  }
}

/// The outcome of an attempt to send a message. A reason contains no text from the server, which can repeat an address.
package enum SMTPOutcome: Equatable, Sendable {
  /// The server has taken the message.
  case accepted
  /// Another attempt can succeed.
  case failed(String)
  /// The server refuses the message for good.
  case refused(String)
}
