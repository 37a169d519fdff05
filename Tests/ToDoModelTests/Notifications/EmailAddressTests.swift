import Testing

@testable import ToDoModel

/// Which texts are addresses, and that none can add a command or a header.
@Suite struct EmailAddressTests {
  @Test(arguments: [
    ("ann@example.org", "ann", "example.org"),
    ("Ann.O'Neil+todo@Mail.Example.ORG", "Ann.O'Neil+todo", "mail.example.org"),
    ("!#$%&'*+-/=?^_`{|}~@a-1.xn--p1ai", "!#$%&'*+-/=?^_`{|}~", "a-1.xn--p1ai"),
    (
      String(repeating: "a", count: 64) + "@" + String(repeating: "b", count: 63) + ".example",
      String(repeating: "a", count: 64), String(repeating: "b", count: 63) + ".example"
    ),
  ])
  func text_whenValid_isParsed(_ text: String, _ localPart: String, _ domain: String) throws {
    let address = try EmailAddress(validating: text)
    #expect((address.localPart, address.domain) == (localPart, domain))
    #expect(address.description == "\(localPart)@\(domain)")
    #expect(EmailAddress(address.description) == address)
  }

  @Test(arguments: [
    "", "ann", "ann@@example.org", "a@b@example.org", "<ann@example.org@>",
  ])
  func text_withoutOneAt_isRefused(_ text: String) {
    expect(text, "must be an email address with one @")
  }

  @Test(arguments: [
    "@", "@example.org", ".ann@example.org", "ann.@example.org", "a..b@example.org", "\"ann\"@example.org",
    "ann(x)@example.org",
    "<ann@example.org", "a,b@example.org", "a;b@example.org", "a:b@example.org", "a\\b@example.org", "a[b]@example.org",
    String(repeating: "a", count: 65) + "@example.org",
  ])
  func localPart_whenNoDotAtom_isRefused(_ text: String) {
    expect(
      text,
      "must have 1 to 64 letters, digits or !#$%&'*+-/=?^_`{|}~ before the @, with single dots between them")
  }

  @Test(arguments: [
    "ann@", "ann@localhost", "ann@example.", "ann@.org", "ann@a..org", "ann@-a.org", "ann@a-.org", "ann@a_b.org",
    "ann@example.org>", "ann@[127.0.0.1]", "ann@[IPv6:::1]", "ann@127.0.0.1", "ann@example.org(x)",
    "ann@" + String(repeating: "b", count: 64) + ".org",
  ])
  func domain_whenInvalid_isRefused(_ text: String) {
    expect(text, "must have the name of a domain with at least one dot after the @, and no address in brackets")
  }

  @Test(arguments: [
    "ann@example.org\r\nRCPT TO:<eve@example.org>", "ann@example.org\n", "ann@example\r.org", "ann\0@example.org",
    "ann @example.org", "ann\t@example.org", "änn@example.org", "ann@exämple.org", "ann@example.org\u{7F}",
  ])
  func characters_thatNoAddressHas_areRefused(_ text: String) {
    expect(text, "must contain only visible ASCII characters")
  }

  @Test func overlongText_isRefused() {
    let domain = String(repeating: "a", count: 49) + "."
    let text = "ann@" + String(repeating: domain, count: 5) + "b"
    #expect(text.utf8.count == 255)
    expect(text, "must have at most 254 bytes")
    #expect(EmailAddress(String(text.dropFirst())) != nil)
  }

  private func expect(_ text: String, _ reason: String) {
    #expect(EmailAddress(text) == nil)
    do {
      _ = try EmailAddress(validating: text)
      Issue.record("\(text) is accepted")
    } catch { #expect(error.reason == reason) }
  }
}
