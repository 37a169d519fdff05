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
    let hash = one.secretHash
    for index in hash.indices {
      var changed = hash
      changed[index] ^= 1
      #expect(!one.hasHash(changed))
    }
    #expect(!one.hasHash(Array(hash.dropLast())))
    #expect(!one.hasHash(hash + [0]))
  }

  @Test func token_whenTextIsMalformed_isNil() {
    let text = BearerToken().description
    for wrong in ["", "todo", "todo__", String(text.dropLast()), text + "0", text.uppercased(), " " + text, "x" + text]
    {
      #expect(BearerToken(wrong) == nil)
    }
  }

  @Test(arguments: [
    (String(repeating: "00", count: 32), "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"),
    (
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
      "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    ),
  ])
  func secretHash_isSHA256OfSecret(_ secret: String, _ expected: String) throws {
    let token = try #require(BearerToken("todo_0000000000000001_" + secret))
    let hash = token.secretHash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(hash == expected)
  }
}
