import NIOCore
import Testing
import ToDoProtobuf
import ToDoRPC
import ToDoTTRPC

/// Errors that fill a whole frame.
struct RPCErrorBoundsTests {
  private func received(_ error: RPCError) throws -> RPCError {
    var buffer = ByteBuffer()
    buffer.writeResponseEnvelope(error: error, arena: Arena())
    let arena = Arena()
    return try #require(
      try buffer.withUnsafeReadableBytes { try ResponseEnvelope(decoding: $0, in: arena).error(in: arena) })
  }

  @Test func error_whenWithinLimits_isUnchanged() throws {
    let error = RPCError(
      .notFound, reason: "ITEM_NOT_FOUND", domain: "todo.v1", "there is no item “ä”", metadata: ["item_id": "1"],
      violations: [.init(field: "id", reason: "must be a UUID")], retryAfter: .seconds(1))
    #expect(try received(error) == error)
  }

  @Test func error_whenTextsAreLong_isTruncatedBetweenCharacters() throws {
    let text = String(repeating: "ä", count: 1 << 17)
    let error = try received(
      RPCError(
        .internal, reason: text, domain: text, text, metadata: [text: text],
        violations: [.init(field: text, reason: text)]
      ))
    #expect(error.message == String(repeating: "ä", count: 2048))
    #expect(error.reason.utf8.count == 128 && error.domain.utf8.count == 128)
    let metadata = try #require(error.metadata.first)
    #expect(metadata.key.utf8.count == 1024 && metadata.value.utf8.count == 1024)
    #expect(error.violations == [.init(field: metadata.key, reason: metadata.value)])
  }

  @Test func error_whenItHasManyParts_keepsFirst() throws {
    let metadata = Dictionary(uniqueKeysWithValues: (100..<1100).map { ("\($0)", "v") })
    let violations = (0..<10_000).map { RPCError.Violation(field: "items[\($0)].title", reason: "must not be blank") }
    let error = try received(RPCError(.internal, reason: "R", "m", metadata: metadata, violations: violations))
    #expect(error.metadata.keys.sorted() == Array(metadata.keys.sorted().prefix(64)))
    #expect(error.violations == Array(violations.prefix(4000)))
  }
}
