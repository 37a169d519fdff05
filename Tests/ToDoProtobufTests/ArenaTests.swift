import CToDoProtos
import Testing
import ToDoProtobuf
import ToDoTestSupport

struct ArenaTests {
  // MARK: Decoding

  @Test func unpack_whenWithinLimit_returnsMessage() throws {
    #expect(try revision(in: Arena(), hex("08 ac 02")) == 300)
  }

  @Test func unpack_whenAboveLimit_isTooLarge() {
    #expect(throws: DecodingFailure.tooLarge) { try revision(in: Arena(limit: 16), hex("08 ac 02")) }
  }

  @Test func unpack_whenNotProtobuf_isMalformed() {
    #expect(throws: DecodingFailure.malformed) { try revision(in: Arena(), hex("08")) }
  }

  @Test func unpack_whenLimitIsExhausted_isTooLarge_untilReset() throws {
    let arena = Arena(limit: 100)
    let bytes = try hex("08 ac 02")
    let first = try revision(in: arena, bytes)
    #expect(throws: DecodingFailure.tooLarge) { for _ in 0..<10 { _ = try revision(in: arena, bytes) } }
    arena.reset()
    #expect(try revision(in: arena, bytes) == first)
  }

  @Test func unpack_afterBuilding_obeysLimit() {
    let arena = Arena(limit: 16)
    _ = arena.bytes("x")
    arena.reset()
    #expect(throws: DecodingFailure.tooLarge) { try revision(in: arena, hex("08 ac 02")) }
  }

  @Test(arguments: [(0, 262_144), (1, 262_160), (1 << 19, 8_650_752), (4 << 20, 16 << 20), (Int.max >> 8, 16 << 20)])
  func setLimit_growsWithEncodedSize_upToMaximum(count: Int, limit: Int) throws {
    let arena = Arena()
    let text = [UInt8](repeating: 97, count: limit - 4096)
    arena.setLimit(forEncodedSize: count)
    #expect(try message(in: arena, title: text) == text.count)
    arena.reset()
    #expect(throws: DecodingFailure.tooLarge) { try message(in: arena, title: text + text.prefix(4096)) }
  }

  /// Decodes a message with one long text, and returns its length.
  private func message(in arena: Arena, title: [UInt8]) throws -> Int {
    var bytes: [UInt8] = [0x0a]
    var rest = title.count
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7f) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
    return try (bytes + title).withUnsafeBytes {
      try arena.unpack(todo__v1__get_item_request__init, $0).pointee.id.len
    }
  }

  private func revision(in arena: Arena, _ bytes: [UInt8]) throws -> Int64 {
    try bytes.withUnsafeBytes { try arena.unpack(todo__v1__delete_item_response__init, $0).pointee.revision }
  }

  // MARK: Building

  @Test(arguments: ["", "a", "häuser", "a\0b", String(repeating: "long ", count: 10_000)])
  func bytes_copyText(text: String) {
    let arena = Arena()
    let copy = arena.bytes(text)
    #expect(copy.text == text)
    #expect(copy.isEmpty == text.isEmpty)
    #expect(Array(copy.buffer) == Array(text.utf8))
  }

  @Test(arguments: [
    "ff", "c3 28", "ed a0 80", "c0 80", "c1 bf", "e0 9f bf", "f0 8f bf bf", "f4 90 80 80", "80", "61 c3", "e2 82",
    "61 62 63 64 65 66 67 68 69 6a 6b 6c 6d 6e 6f f0 9f 98",
  ])
  func text_whenNotUTF8_isNil(bytes: String) throws {
    let arena = Arena()
    #expect(try hex(bytes).withUnsafeBytes { arena.bytes($0).text } == nil)
  }

  @Test func array_copiesElements() {
    let arena = Arena()
    #expect(UnsafeBufferPointer(start: arena.array([1, 2, 3]), count: 3).elementsEqual([1, 2, 3]))
    #expect(arena.array([Int]()) == nil)
  }

  @Test func building_whenAboveDecodingLimit_isAllowed() {
    let arena = Arena(limit: 16)
    #expect(arena.bytes(String(repeating: "x", count: 1000)).len == 1000)
  }

  @Test func pack_encodesMessage() throws {
    let arena = Arena()
    #expect(try Array(arena.pack(arena.deleteItemResponse(revision: 300))) == hex("08 ac 02"))
    #expect(arena.pack(arena.deleteItemResponse(revision: 0)).isEmpty)
  }

  @Test func release_leavesArenaUsable() throws {
    let arena = Arena()
    _ = arena.bytes(String(repeating: "x", count: 100_000))
    arena.release()
    #expect(arena.bytes("again").text == "again")
  }
}

extension Arena {
  fileprivate func deleteItemResponse(revision: Int64) -> UnsafePointer<ProtobufCMessage> {
    let message = make(todo__v1__delete_item_response__init)
    message.pointee.revision = revision
    return message.message
  }
}
