import Testing
import ToDoRules

@Suite struct UserNameTests {
  @Test(arguments: ["a", "ann", "0", "ann.b-c_d@example.org", String(repeating: "x", count: 64)])
  func userName_whenValid_isAccepted(_ text: String) {
    #expect(UserName(text)?.description == text)
  }

  @Test(arguments: ["", "Ann", ".ann", "-", "@x", "a b", "a\n", "ä", "a/b", String(repeating: "x", count: 65)])
  func userName_whenInvalid_isRejected(_ text: String) {
    #expect(UserName(text) == nil)
  }

  @Test func accessTokenID_whenNot16LowerCaseDigits_isRejected() {
    #expect(AccessTokenID("00000000000000ff")?.number == 255)
    #expect(AccessTokenID(number: 255).description == "00000000000000ff")
    for text in ["", "ff", "00000000000000FF", "00000000000000fg", "+0000000000000ff", "00000000000000ff0"] {
      #expect(AccessTokenID(text) == nil)
    }
  }
}
