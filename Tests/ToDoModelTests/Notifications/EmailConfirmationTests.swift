import Testing

@testable import ToDoModel

/// The codes that confirm email addresses.
@Suite struct EmailConfirmationTests {
  private let confirmation = EmailConfirmation(code: "0123456789", expiry: Timestamp(microseconds: 7))

  @Test func code_isTenRandomCharactersThatNobodyMistakes() {
    var generator = SystemRandomNumberGenerator()
    let codes = (0..<100).map { _ in EmailConfirmation.makeCode(using: &generator) }
    #expect(Set(codes).count == 100)
    #expect(codes.allSatisfy { $0.count == 10 && $0.allSatisfy("0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains) })
    #expect(Set(codes.joined()).count == 32)
  }

  @Test func secret_isParsed() {
    #expect(confirmation.secret == "unconfirmed:0123456789:7")
    #expect(EmailConfirmation(confirmation.secret) == confirmation)
    for text in [
      "", "unconfirmed", "unconfirmed:0123456789", "unconfirmed:0123456789:", "unconfirmed:012345678:7",
      "unconfirmed:012345678U:7", "confirmed:0123456789:7", "unconfirmed:0123456789:7:8",
    ] {
      #expect(EmailConfirmation(text) == nil)
    }
  }

  @Test(arguments: ["0123456789", "01234-56789", " O123456789", "oi23456789", "0L23456789"])
  func rightCode_isAccepted(_ text: String) { #expect(confirmation.accepts(text)) }

  @Test(arguments: ["", "012345678", "01234567899", "0123456788", "1123456789", "０123456789", "0123456789\0"])
  func otherCode_isNotAccepted(_ text: String) { #expect(!confirmation.accepts(text)) }

  @Test func target_needsItsCodeUntilItHasNoSecret() {
    var target = NotificationTarget(kind: .email, url: "mailto:ann@example.org", secret: confirmation.secret)
    #expect(!target.isConfirmed && target.confirmation == confirmation)
    #expect(NotificationTargetInfo(target).needsConfirmation && !NotificationTargetInfo(target).hasSecret)
    target.secret = "?"
    #expect(!target.isConfirmed && target.confirmation == nil)
    target.secret = nil
    #expect(target.isConfirmed && target.confirmation == nil && !NotificationTargetInfo(target).needsConfirmation)
    let ntfy = NotificationTarget(kind: .ntfy, url: "https://ntfy.sh/a", secret: confirmation.secret)
    #expect(ntfy.isConfirmed && ntfy.confirmation == nil)
  }

  @Test func confirmation_asText_hasNoCode() {
    var dumped = ""
    dump(confirmation, to: &dumped)
    for text in ["\(confirmation)", String(reflecting: confirmation), dumped] { #expect(!text.contains("0123456789")) }
  }
}
