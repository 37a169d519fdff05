import CToDoProtos
import Testing
import ToDoProtobuf
import ToDoTestSupport

/// Bytes that protobuf-c would accept, but must not receive.
@Suite struct WireFormatValidatorTests {
  /// `AddItemRequest`: 1 is a message (the item), 2 and 3 are booleans.
  @Test(arguments: [
    "", "0a 00", "10 01", "0a 00 10 01", "10 01 10 00", "0a 04 12 02 c3 a9",
    // Fields that are not in the order of their numbers.
    "18 01 10 01 0a 00", "18 01 98 06 01 10 01 98 06 01 0a 00",
    // Unknown fields of every wire type.
    "98 06 01", "99 06 00 00 00 00 00 00 00 00", "9a 06 03 61 62 63", "9d 06 00 00 00 00",
    // The maximum field number, and a varint of ten bytes.
    "f8 ff ff ff 0f 01", "98 06 ff ff ff ff ff ff ff ff ff 01",
  ])
  func message_whenWithinLimits_isDecoded(_ hex: String) throws {
    #expect(throws: Never.self) { try decode(hex) }
  }

  @Test(arguments: [
    // A sub-message twice: protobuf-c merges them wrongly, in quadratic time.
    "0a 00 0a 00", "0a 00 10 01 0a 00", "0a 06 32 00 32 02 0a 00", "0a 04 22 00 22 00",
    "0a 00 18 01 98 06 01 10 01 0a 00",
    // A wire type that does not match the field.
    "12 00", "15 00 00 00 00", "11 00 00 00 00 00 00 00 00", "08 01", "0d 00 00 00 00", "0a 02 08 01", "0a 03 3a 01 01",
    "18 01 12 00", "98 06 01 12 00",
    // Groups, and wire types that do not exist.
    "0b 0c", "9b 06 9c 06", "0e 00", "0f 00",
    // The field number 0, and tags that are too long or too large.
    "00 00", "02 00", "80 80 80 80 80 00", "8a 80 80 80 80 00 00", "ff ff ff ff ff 01",
    // Truncated, or longer than the enclosing message.
    "0a", "0a 01", "10", "10 80", "9d 06 00 00 00", "99 06 00", "0a 02 12 01", "0a 03 12 02 61", "9a 06 ff ff ff ff 0f",
    "9a 06 ff ff ff ff ff ff ff ff ff 01", "98 06 ff ff ff ff ff ff ff ff ff ff 01",
  ])
  func message_whenMalformedOrAboveLimits_isRejected(_ hex: String) {
    #expect(throws: DecodingFailure.malformed) { try decode(hex) }
  }

  @Test func repeatedMessages_whenMany_areAccepted() throws {
    let bytes = (0..<500).flatMap { _ -> [UInt8] in [0x0a, 0x00] }
    let arena = Arena()
    let count = try bytes.withUnsafeBytes {
      try arena.unpack(todo__v1__batch_add_items_request__init, $0).pointee.n_items
    }
    arena.reset()
    #expect(count == 500)
  }

  /// protobuf-c would take minutes for this frame.
  @Test(.unitTimeLimited)
  func repeatedMessages_whenFourMebibytes_areRejectedImmediately() {
    let bytes = (0..<4 << 20).map { UInt8($0.isMultiple(of: 2) ? 0x0a : 0x00) }
    #expect(throws: DecodingFailure.malformed) {
      _ = try bytes.withUnsafeBytes { try Arena().unpack(todo__v1__add_item_request__init, $0) }
    }
  }

  // MARK: Depth

  @Test(arguments: [1, 2, 31, 32])
  func nestedMessages_areValidated(depth: Int) {
    #expect(throws: Never.self) { try scan(nested(depth), as: RecursiveMessage()) }
  }

  @Test(arguments: [33, 34, 1000])
  func nestedMessages_whenTooDeep_areRejected(depth: Int) {
    #expect(throws: DecodingFailure.malformed) { try scan(nested(depth), as: RecursiveMessage()) }
  }

  /// Nested messages, each the only field of its parent.
  private func nested(_ depth: Int) -> [UInt8] {
    (1..<depth).reduce(into: []) { inner, _ in
      var length = inner.count
      var header: [UInt8] = [0x0a]
      while length > 0x7f {
        header.append(UInt8(length & 0x7f) | 0x80)
        length >>= 7
      }
      inner = header + [UInt8(length)] + inner
    }
  }

  // MARK: Elements

  @Test(
    arguments: [
      ([], 0), ([0x12, 0x00], 1), ([0x12, 0x00, 0x12, 0x00], 2), ([0x18, 0x01, 0x1a, 0x02, 0x01, 0x02], 3),
      // Packed: a value of several bytes, and one that is cut off.
      ([0x1a, 0x04, 0xff, 0xff, 0x03, 0x01], 2), ([0x1a, 0x03, 0x01, 0xff, 0xff], 2),
      // An element in each of three messages.
      ([0x12, 0x00, 0x0a, 0x06, 0x12, 0x00, 0x0a, 0x02, 0x12, 0x00], 3),
    ] as [([UInt8], Int)])
  func elements_areCountedAcrossLists(bytes: [UInt8], count: Int) {
    let message = RecursiveMessage()
    #expect(throws: Never.self) { try scan(bytes, as: message, maximumElements: count) }
    guard count > 0 else { return }
    #expect(throws: DecodingFailure.tooManyElements) { try scan(bytes, as: message, maximumElements: count - 1) }
  }

  @Test func unpack_whenTooManyElements_throws() {
    let bytes: [UInt8] = [0x0a, 0x00, 0x0a, 0x00, 0x0a, 0x00]
    let arena = Arena()
    arena.setLimit(ofElements: 2)
    #expect(throws: DecodingFailure.tooManyElements) {
      _ = try bytes.withUnsafeBytes { try arena.unpack(todo__v1__batch_add_items_request__init, $0) }
    }
    arena.setLimit(ofElements: 3)
    #expect(throws: Never.self) {
      _ = try bytes.withUnsafeBytes { try arena.unpack(todo__v1__batch_add_items_request__init, $0) }
    }
  }

  private func scan(_ bytes: [UInt8], as message: borrowing RecursiveMessage, maximumElements: Int = .max) throws {
    try bytes.withUnsafeBytes {
      try WireFormatValidator.check($0, as: message.descriptor, maximumElements: maximumElements)
    }
  }

  private func decode(_ hex: String) throws {
    let bytes = hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    _ = try bytes.withUnsafeBytes { try Arena().unpack(todo__v1__add_item_request__init, $0) }
  }
}
