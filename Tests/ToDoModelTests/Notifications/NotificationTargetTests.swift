import Testing

@testable import ToDoModel

/// The rules of targets, and that no text contains their credentials.
@Suite struct NotificationTargetTests {
  private static let key = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

  @Test(arguments: [
    ("https://ntfy.sh/anna-tasks", "ntfy.sh", 443, "/anna-tasks"),
    ("HTTP://Box.local:8080/push/A_1", "box.local", 8080, "/push/A_1"),
    ("https://[2001:db8::1]/t", "2001:db8::1", 443, "/t"),
    ("http://[::1]:81/t", "::1", 81, "/t"),
  ])
  func url_whenValid_isParsed(_ text: String, _ host: String, _ port: Int, _ path: String) throws {
    #expect(NotificationTarget(kind: .ntfy, url: text).violations(at: "target").isEmpty)
    let url = try NotificationURL(validating: text)
    #expect((url.host, url.port, url.pathAndQuery) == (host, port, path))
    #expect(url.isEncrypted == text.hasPrefix("https"))
  }

  @Test(arguments: [
    ("https://example.com", "/"), ("https://example.com?a=b/c", "/?a=b/c"),
    ("https://example.com/in?key=%20", "/in?key=%20"),
  ])
  func url_ofWebhook_needsNoPath(_ text: String, _ path: String) {
    #expect(NotificationTarget(kind: .webhook, url: text).violations(at: "target").isEmpty)
    #expect(NotificationURL(text)?.pathAndQuery == path)
  }

  @Test(arguments: [
    ("", "must begin with https:// or http://"), ("ntfy.sh/a", "must begin with https:// or http://"),
    ("ftp://ntfy.sh/a", "must begin with https:// or http://"), ("://ntfy.sh/a", "must begin with https:// or http://"),
    ("https:///a", "must contain the name or the address of a host"),
    ("https://:80/a", "must contain the name or the address of a host"),
    ("https://a%41/a", "must contain the name or the address of a host"),
    ("https://[]/a", "must contain the name or the address of a host"),
    ("https://[::1/a", "must contain the name or the address of a host"),
    ("https://[v1.a:b]/a", "must contain the name or the address of a host"),
    ("https://h" + String(repeating: "o", count: 253) + "/a", "must contain the name or the address of a host"),
    ("https://anna@ntfy.sh/a", "must contain no user name or password"),
    ("https://anna:pass@ntfy.sh/a", "must contain no user name or password"),
    ("https://ntfy.sh/a#b", "must have no fragment"), ("https://ntfy.sh#/a", "must have no fragment"),
    ("https://ntfy.sh:/a", "must have a port from 1 to 65535, or none"),
    ("https://ntfy.sh:0/a", "must have a port from 1 to 65535, or none"),
    ("https://ntfy.sh:65536/a", "must have a port from 1 to 65535, or none"),
    ("https://ntfy.sh:+80/a", "must have a port from 1 to 65535, or none"),
    ("https://[::1]80/a", "must have a port from 1 to 65535, or none"),
    ("https://ntfy.sh/a b", "must contain only characters of URLs; encode any other one with %"),
    ("https://ntfy.sh/a\r\nX: y", "must contain only characters of URLs; encode any other one with %"),
    ("https://ntfy.sh/ä", "must contain only characters of URLs; encode any other one with %"),
    ("https://ntfy.sh/" + String(repeating: "a", count: 2_033), "must have at most 2048 bytes"),
  ])
  func url_whenInvalid_isRefused(_ url: String, _ reason: String) {
    for kind in [NotificationTarget.Kind.ntfy, .webhook] {
      let target = NotificationTarget(kind: kind, url: url)
      #expect(target.violations(at: "target") == [FieldViolation("target.url", reason)])
      #expect(target.redactedURL == "")
    }
  }

  @Test(arguments: [
    "https://ntfy.sh", "https://ntfy.sh/", "https://ntfy.sh/topic/", "https://ntfy.sh/a?auth=1", "https://ntfy.sh/a.b",
    "https://ntfy.sh/" + String(repeating: "a", count: 65),
  ])
  func url_ofNtfy_whenTopicIsInvalid_isRefused(_ url: String) {
    let found = NotificationTarget(kind: .ntfy, url: url).violations(at: "target")
    #expect(found == [FieldViolation("target.url", "must end with a topic: 1 to 64 letters, digits, _ or -")])
  }

  @Test(arguments: ["tk_1", String(repeating: "~", count: 256)])
  func token_whenValid_isAccepted(_ token: String) {
    let target = NotificationTarget(kind: .ntfy, url: "https://ntfy.sh/a", secret: token)
    #expect(target.violations(at: "target").isEmpty)
  }

  @Test(arguments: ["", "a b", "a\n", "é", "\u{7F}", String(repeating: "a", count: 257)])
  func token_whenInvalid_isRefused(_ token: String) {
    let target = NotificationTarget(kind: .ntfy, url: "https://ntfy.sh/a", secret: token)
    let reason = "must be an access token of 1 to 256 visible ASCII characters"
    #expect(target.violations(at: "target") == [FieldViolation("target.secret", reason)])
  }

  @Test func key_ofStandardWebhooks_isParsed() throws {
    let key = try #require(WebhookKey(Self.key))
    #expect(key.bytes.count == 24)
    #expect(key.bytes.prefix(3) == [0x31, 0xF2, 0x90])
    #expect(key.secret == Self.key)
    #expect(NotificationTarget(kind: .webhook, url: "https://a.b", secret: Self.key).violations(at: "t").isEmpty)
  }

  @Test(arguments: [
    "", "whsec_", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", key + "=", key + "A", key + "====", key.replacing("M", with: "-"),
    "whsec_" + String(repeating: "A", count: 28), "whsec_" + String(repeating: "A", count: 88),
    // Unused bits that are not 0.
    "whsec_" + String(repeating: "A", count: 33) + "B==",
  ])
  func key_whenInvalid_isRefused(_ secret: String) {
    #expect(WebhookKey(secret) == nil)
    let target = NotificationTarget(kind: .webhook, url: "https://a.b", secret: secret)
    let reason = "must be whsec_ and the base64 of 24 to 64 bytes"
    #expect(target.violations(at: "target") == [FieldViolation("target.secret", reason)])
  }

  @Test(arguments: 24...64) func key_ofEverySize_roundTrips(_ size: Int) {
    let length = (size + 2) / 3 * 4
    let secret = "whsec_" + String(repeating: "A", count: length - (3 - size % 3) % 3) + ["", "==", "="][size % 3]
    #expect(WebhookKey(secret)?.bytes == Array(repeating: 0, count: size))
    #expect(WebhookKey(secret)?.secret == secret)
  }

  @Test func newKeys_differAndAreValid() {
    var generator = SystemRandomNumberGenerator()
    let keys = (0..<2).map { _ in WebhookKey(using: &generator) }
    #expect(keys[0] != keys[1])
    #expect(WebhookKey(keys[0].secret) == keys[0])
  }

  @Test func texts_containNoCredential() throws {
    let target = NotificationTarget(kind: .ntfy, url: "https://ntfy.sh:8443/private-topic", secret: "tk_private")
    #expect(target.redactedURL == "https://ntfy.sh:8443")
    #expect(target.description == "ntfy https://ntfy.sh:8443")
    let url = try NotificationURL(validating: target.url)
    let key = try #require(WebhookKey(Self.key))
    let values: [Any] = [target, [target], Optional(target) as Any, url, key, (target, url, key)]
    for value in values {
      var dumped = ""
      dump(value, to: &dumped)
      for text in ["\(value)", String(reflecting: value), dumped] {
        #expect(!text.contains("private") && !text.contains("MfKQ") && !text.contains("242"))
      }
    }
  }

  @Test func violations_containNoCredential() {
    let target = NotificationTarget(kind: .webhook, url: "https://private@host/private#", secret: "private")
    #expect(target.violations(at: "target").count == 2)
    #expect(!ToDoError.invalidRequest(target.violations(at: "target")).description.contains("private"))
  }

  @Test func id_ofText_isParsed() {
    let id = NotificationTargetID()
    #expect(NotificationTargetID(id.description) == id)
    #expect(NotificationTargetID("default") == nil)
    #expect(NotificationTargetID(high: 1, low: 2) < NotificationTargetID(high: 1, low: 3))
  }

  @Test func email_hasAnAddressAndNoSecret() {
    let target = NotificationTarget(kind: .email, url: "mailto:Ann@Example.ORG")
    #expect(target.violations(at: "target") == [])
    #expect(target.emailAddress?.description == "Ann@example.org")
    #expect(NotificationTarget(kind: .ntfy, url: "mailto:ann@example.org").emailAddress == nil)
    var withSecret = target
    withSecret.secret = "tk_1"
    let reason = "must be empty, because an email address has none"
    #expect(withSecret.violations(at: "target") == [FieldViolation("target.secret", reason)])
  }

  @Test(arguments: [
    ("", "must begin with mailto:"), ("ann@example.org", "must begin with mailto:"),
    ("https://ntfy.sh/a", "must begin with mailto:"), ("MAILTO:ann@example.org", "must begin with mailto:"),
    ("mailto:ann", "must be an email address with one @"),
    ("mailto:ann@example.org\r\nBcc: x", "must contain only visible ASCII characters"),
  ])
  func email_whenInvalid_isRefused(_ url: String, _ reason: String) {
    let target = NotificationTarget(kind: .email, url: url)
    #expect(target.violations(at: "target") == [FieldViolation("target.url", reason)])
    #expect(target.redactedURL == "")
  }

  @Test func email_asText_isItsDomain() {
    let target = NotificationTarget(kind: .email, url: "mailto:ann@example.org", secret: "unconfirmed:A:1")
    var dumped = ""
    dump(target, to: &dumped)
    for text in ["\(target)", String(reflecting: target), dumped] {
      #expect(!text.contains("ann") && !text.contains("unconfirmed"))
    }
    #expect("\(target)" == "email example.org")
  }
}
