import Testing

@testable import ToDoSMTP

@Suite struct SMTPServerTests {
  @Test(arguments: [
    ("smtp://mail.example.org", "mail.example.org", 587, SMTPServer.Security.startTLS),
    ("SMTP://Mail.example.org:25/", "mail.example.org", 25, .startTLS),
    ("smtps://mail.example.org", "mail.example.org", 465, .implicitTLS),
    ("smtps://localhost:10465", "localhost", 10_465, .implicitTLS),
    ("smtp://localhost:25", "localhost", 25, .loopbackOnly),
    ("smtp://127.1.2.3", "127.1.2.3", 587, .loopbackOnly), ("smtp://[::1]:25", "::1", 25, .loopbackOnly),
    ("smtp://[2001:db8::1]", "2001:db8::1", 587, .startTLS),
    ("smtp://127.example.org", "127.example.org", 587, .startTLS),
    ("smtp://127.0.0.1.example.org", "127.0.0.1.example.org", 587, .startTLS),
    ("smtp://127.0.0.256", "127.0.0.256", 587, .startTLS), ("smtp://10.0.0.1", "10.0.0.1", 587, .startTLS),
  ])
  func url_whenValid_isParsed(_ text: String, _ host: String, _ port: Int, _ security: SMTPServer.Security) {
    #expect(SMTPServer(text) == SMTPServer(host: host, port: port, security: security))
  }

  @Test(arguments: [
    "", "mail.example.org", "http://mail.example.org", "smtp://", "smtp:///", "smtp://:25", "smtp://mail:",
    "smtp://mail:0",
    "smtp://mail:65536", "smtp://mail:+25", "smtp://ann@mail", "smtp://ann:secret@mail", "smtp://mail/path",
    "smtp://mail?a",
    "smtp://[::1", "smtp://[]", "smtp://[::1]25", "smtp://[mail]", "smtp://ma il", "smtp://mail\r\n",
  ])
  func url_whenInvalid_isRefused(_ text: String) {
    #expect(SMTPServer(text) == nil)
  }

  @Test func credentials_haveNoTextWithThePassword() throws {
    let credentials = try #require(SMTPServer.Credentials(name: "todo", password: "secret-password"))
    var dumped = ""
    dump(credentials, to: &dumped)
    for text in ["\(credentials)", String(reflecting: credentials), dumped] { #expect(!text.contains("secret")) }
    for (name, password) in [("", "a"), ("a", ""), ("a\0b", "c"), ("a", "b\0c")] {
      #expect(SMTPServer.Credentials(name: name, password: password) == nil)
    }
  }
}
