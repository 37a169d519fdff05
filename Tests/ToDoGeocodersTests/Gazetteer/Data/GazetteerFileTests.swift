import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoGeocoders

/// Checks that damaged data either fails to open, or is read without a crash. The results of such lookups are arbitrary.
@Suite(.unitTimeLimited) struct GazetteerFileTests {
  private static let complete: [UInt8] = {
    (try? GazetteerSource.embedded.withFile { file in
      // The header precedes the first section, and the pool is the last section.
      guard let records = file.records.bytes.baseAddress, let pool = file.pool.bytes.baseAddress else { return [] }
      let start = records - GazetteerFile.headerSize
      return Array(UnsafeRawBufferPointer(start: start, count: pool - start + file.pool.count))
    }) ?? []
  }()

  private static let addresses = ["Paris", "Barer Str. 27, München", "San Antonio, USA", "東京都新宿区", "Springfield, Peru"]

  private func lookUpAddresses(in bytes: [UInt8]) async throws {
    let geocoder = try GazetteerGeocoder(.bytes(bytes))
    for address in Self.addresses {
      let candidates = try await geocoder.candidates(for: GeocodeQuery(address: address, limit: 10))
      #expect(candidates.count <= 10)
    }
    let munich = try #require(Coordinate(latitude: 48, longitude: 11))
    #expect(geocoder.places(near: munich, within: 300, limit: 7).count <= 7)
  }

  @Test func open_whenComplete_succeeds() async throws {
    try await lookUpAddresses(in: Self.complete)
  }

  @Test(arguments: [0, 1, 7, 8, 11, 71, 72, 1000, 1_500_000, 7_000_000])
  func open_whenTruncated_throws(count: Int) {
    let bytes = Array(Self.complete.prefix(count))
    #expect(throws: count < GazetteerFile.headerSize ? GazetteerError.notAGazetteer : .damaged) {
      try GazetteerGeocoder(.bytes(bytes))
    }
  }

  @Test func open_whenNotAGazetteer_throws() {
    #expect(throws: GazetteerError.notAGazetteer) {
      try GazetteerGeocoder(.bytes([UInt8](repeating: 0x54, count: 4096)))
    }
  }

  @Test func open_whenVersionIsUnknown_throws() {
    var bytes = Self.complete
    bytes[8] = 9
    #expect(throws: GazetteerError.unknownVersion(9)) { try GazetteerGeocoder(.bytes(bytes)) }
  }

  /// Mutates the counts, and the offset and size of each section.
  @Test(arguments: Array(stride(from: 12, to: 72, by: 4)))
  func open_whenHeaderIsMutated_throwsOrSucceeds(offset: Int) async throws {
    for value in [UInt8.min, 1, 0x7F, .max] {
      var bytes = Self.complete
      for byte in offset..<offset + 4 { bytes[byte] = value }
      do { try await lookUpAddresses(in: bytes) } catch let error as GazetteerError { #expect(error == .damaged) }
    }
  }

  @Test(arguments: 1...24)
  func candidates_whenBytesAreMutated_areReturned(seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var bytes = Self.complete
    // Mutates between one byte in 64 and one in 131,072.
    let count = bytes.count >> (seed % 12)
    for _ in 0..<count / 64 {
      let offset = Int.random(in: GazetteerFile.headerSize..<bytes.count, using: &generator)
      bytes[offset] = UInt8.random(in: 0...UInt8.max, using: &generator)
    }
    try await lookUpAddresses(in: bytes)
  }

  @Test(arguments: [UInt8.min, 1, 0x20, 0x7F, 0x80, .max])
  func candidates_whenAllBytesAreEqual_areReturned(value: UInt8) async throws {
    let header = Self.complete.prefix(GazetteerFile.headerSize)
    try await lookUpAddresses(in: header + [UInt8](repeating: value, count: Self.complete.count - header.count))
  }
}
