import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoStores

struct EncodedItemTests {
  private let id = ItemID(high: 1, low: 2)
  private let revision = Revision(7)

  @Test func decode_ofEncodedItem_returnsTheItem() throws {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<5_000 {
      let item = ToDoItem.random(id, revision, using: &random)
      let decoded = try decode(EncodedItem.encode(item))
      #expect(decoded == item)
      #expect(EncodedItem.encode(decoded) == EncodedItem.encode(item))
    }
  }

  @Test func decode_ofEncodedCoordinate_preservesAllBits() throws {
    var item = ToDoItem.sample(1)
    item.content.location = Location(coordinate: Coordinate(latitude: 60.169_856_123_456_78, longitude: -1e-300))
    let decoded = try decode(EncodedItem.encode(item)).location?.coordinate
    #expect(decoded?.latitude == 60.169_856_123_456_78)
    #expect(decoded?.longitude == -1e-300)
  }

  @Test func decode_ofEncodedText_preservesItsNormalForm() throws {
    let decoded = try decode(EncodedItem.encode(.sample(1, title: "e\u{301} \u{E9} \u{FEFF}\u{0}")))
    #expect(Array(decoded.title.utf8) == Array("e\u{301} \u{E9} \u{FEFF}\u{0}".utf8))
  }

  @Test func decode_whenBytesAreRandom_throwsOrReturnsAnItemOfTheSameBytes() {
    var random = SeededGenerator(seed: 2)
    for _ in 0..<20_000 {
      var bytes = (0..<Int.random(in: 0..<120, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      if !bytes.isEmpty, Bool.random(using: &random) { bytes[0] = EncodedItem.version }
      checkDecoding(bytes)
    }
  }

  @Test func decode_whenAByteIsChanged_throwsOrReturnsAnItemOfTheSameBytes() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let bytes = EncodedItem.encode(.random(id, revision, using: &random))
      for _ in 0..<40 {
        var changed = bytes
        changed[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        checkDecoding(changed)
      }
    }
  }

  @Test func decode_whenBytesAreCutOrExtended_throws() {
    var random = SeededGenerator(seed: 4)
    for _ in 0..<200 {
      let bytes = EncodedItem.encode(.random(id, revision, using: &random))
      for count in 0..<bytes.count {
        #expect(throws: ToDoError.self) { try decode(Array(bytes.prefix(count))) }
      }
      #expect(throws: ToDoError.storeUnavailable(detail: "the stored item \(id) has no valid length")) {
        try decode(bytes + [0])
      }
    }
  }

  @Test func decode_whenVersionIsUnknown_throws() {
    var bytes = EncodedItem.encode(.sample(1))
    for version in [0, 2, 255] as [UInt8] {
      bytes[0] = version
      #expect(throws: ToDoError.storeUnavailable(detail: "the stored item \(id) has no valid version")) {
        try decode(bytes)
      }
    }
  }

  @Test func decode_whenTimeIsNotSupported_throws() {
    var item = ToDoItem.sample(1)
    item.updatedAt = Timestamp(microseconds: .max)
    #expect(throws: ToDoError.storeUnavailable(detail: "the stored item \(id) has no valid updated_at")) {
      try decode(EncodedItem.encode(item))
    }
  }

  @Test func decodeTitle_ofFirstBytes_returnsNumberAndTitle() throws {
    var item = ToDoItem.sample(1, title: String(repeating: "ä", count: ItemContent.Limits.title / 2))
    item.number = ItemNumber(42)
    item.content.itemDescription = String(repeating: "x", count: 10_000)
    let decoded = try decodeTitle(Array(EncodedItem.encode(item).prefix(EncodedItem.titlePrefix)))
    #expect(decoded.number == item.number)
    #expect(decoded.title == item.title)
  }

  @Test func decodeTitle_whenTitleIsTooLong_cutsIt() throws {
    let item = ToDoItem.sample(1, title: String(repeating: "x", count: 5_000))
    let title = try decodeTitle(Array(EncodedItem.encode(item).prefix(EncodedItem.titlePrefix))).title
    #expect(item.title.hasPrefix(title))
    #expect(title.utf8.count > ItemContent.Limits.title)
  }

  @Test func decodeTitle_whenBytesAreRandom_doesNotTrap() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<5_000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
      _ = try? decodeTitle(bytes)
    }
  }

  private func decode(_ bytes: [UInt8]) throws -> ToDoItem {
    try bytes.withUnsafeBytes { bytes throws(ToDoError) in
      try EncodedItem.decode(bytes, id: id, revision: revision)
    }
  }

  private func decodeTitle(_ bytes: [UInt8]) throws -> EncodedItem.NumberedTitle {
    try bytes.withUnsafeBytes { bytes throws(ToDoError) in try EncodedItem.decodeTitle(bytes, id: id) }
  }

  /// Decodes bytes, which must not trap. An item has only one form, except for a provenance without a place.
  private func checkDecoding(_ bytes: [UInt8]) {
    guard let item = try? decode(bytes) else { return }
    #expect(item.location == nil || EncodedItem.encode(item) == bytes)
  }
}
