import Testing

@testable import ToDoSMTP

@Suite struct SMTPReplyParserTests {
  private func replies(_ text: String) throws -> [SMTPReply] {
    var parser = SMTPReplyParser()
    let replies = try text.utf8.compactMap { try parser.add($0) }
    #expect(parser.isBetweenReplies)
    return replies
  }

  @Test(arguments: [
    ("220 hello\r\n", [SMTPReply(code: 220, lines: ["hello"])]), ("220\r\n", [SMTPReply(code: 220, lines: [""])]),
    ("250-a\r\n250-b c\r\n250 d\r\n", [SMTPReply(code: 250, lines: ["a", "b c", "d"])]),
    ("250-a\r\n250\r\n", [SMTPReply(code: 250, lines: ["a", ""])]), ("250 a\n", [SMTPReply(code: 250, lines: ["a"])]),
    ("220 a\r\n550 b\r\n", [SMTPReply(code: 220, lines: ["a"]), SMTPReply(code: 550, lines: ["b"])]),
  ])
  func replies_areRead(_ text: String, _ expected: [SMTPReply]) throws {
    #expect(try replies(text) == expected)
  }

  @Test(arguments: [
    "hello\r\n", "\r\n", "22\r\n", "+22 a\r\n", "220_a\r\n", "2200 a\r\n", "199 a\r\n", "560 a\r\n",
    "250-a\r\n251 b\r\n",
    "HTTP/1.1 400 Bad Request\r\n", "٢٢٠ a\r\n",
  ])
  func otherLines_areMalformed(_ text: String) {
    #expect(throws: SMTPReplyParser.Failure.malformedLine) { try replies(text) }
  }

  @Test func sizes_areBounded() throws {
    let limit = SMTPReplyParser.lineLimit
    let longest = "220 " + String(repeating: "a", count: limit - 5)
    #expect(try replies(longest + "\r\n").count == 1)
    #expect(throws: SMTPReplyParser.Failure.overlongLine) { try replies(longest + "aa\r\n") }
    let line = "250-a\r\n"
    let most = String(repeating: line, count: SMTPReplyParser.lineCount - 1)
    #expect(try replies(most + "250 a\r\n").first?.lines.count == SMTPReplyParser.lineCount)
    #expect(throws: SMTPReplyParser.Failure.tooManyLines) { try replies(most + line + "250 a\r\n") }
  }

  @Test(arguments: [
    ("5.1.1 <ann@example.org> is unknown", "550 5.1.1"), ("<ann@example.org> is unknown", "550"), ("", "550"),
    ("5.1.1", "550 5.1.1"), ("5.1 ann", "550"), ("5.1.ann@example.org", "550"), ("5.1111.1 ann", "550"),
  ])
  func summary_hasNoText(_ text: String, _ summary: String) {
    #expect(SMTPReply(code: 550, lines: [text]).summary == summary)
  }
}
