import Testing

@testable import ToDoServer

/// The text, the secret and the hash of bearer tokens.
@Suite struct BearerTokenTests {
  @Test func token_whenParsed_equalsOriginal() throws {
    let token = BearerToken()
    let text = token.description
    #expect(text.hasPrefix("todo_\(token.id)_"))
    #expect(text.utf8.count == 5 + 16 + 1 + 64)
    let read = try #require(BearerToken(text))
    #expect(read.id == token.id)
    #expect(read.hasHash(token.secretHash))
  }

  @Test func tokens_haveDifferentIDsAndSecrets() {
    let (one, other) = (BearerToken(), BearerToken())
    #expect(one.id != other.id)
    #expect(!one.hasHash(other.secretHash))
    #expect(!one.hasHash([]))
  }

  @Test func token_whenTextIsMalformed_isNil() {
    let text = BearerToken().description
    for wrong in ["", "todo", "todo__", String(text.dropLast()), text + "0", text.uppercased(), " " + text, "x" + text]
    {
      #expect(BearerToken(wrong) == nil)
    }
  }

  @Test func secretHash_isSHA256OfSecret() throws {
    let token = try #require(BearerToken("todo_0000000000000001_" + String(repeating: "00", count: 32)))
    let hash = token.secretHash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hash == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925")
  }
}
