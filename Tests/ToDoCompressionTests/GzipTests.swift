#if GRPC || HTTP
import NIOCore
import Testing
import ToDoCompression
import ToDoTestSupport

@Suite struct GzipTests {
  /// `printf hello | gzip -n`
  private static let hello: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10, 0x36, 0x05, 0, 0,
    0,
  ]

  private func decompressed(_ bytes: [UInt8], maximumSize: Int = 1 << 20) throws(GzipError) -> [UInt8] {
    var output = ByteBuffer()
    try Gzip.decompress(ByteBuffer(bytes: bytes), into: &output, maximumSize: maximumSize)
    return Array(output.readableBytesView)
  }

  private func compressed(_ bytes: [UInt8]) throws(GzipError) -> [UInt8] { try compressed(ByteBuffer(bytes: bytes)) }

  private func compressed(zeros count: Int) throws(GzipError) -> [UInt8] {
    try compressed(ByteBuffer(repeating: 0, count: count))
  }

  private func compressed(_ bytes: ByteBuffer) throws(GzipError) -> [UInt8] {
    var output = ByteBuffer()
    try Gzip.compress(bytes, into: &output)
    return Array(output.readableBytesView)
  }

  @Test func file_ofGzip_isDecompressed() throws {
    #expect(try decompressed(Self.hello) == Array("hello".utf8))
  }

  @Test(arguments: [0, 1, 100, 511, 512, 1023, 1024, 40_000, 300_000])
  func message_isUnchanged_afterBothWays(count: Int) throws {
    var generator = SeededGenerator(seed: UInt64(count))
    let random = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(try decompressed(compressed(random)) == random)
    let text = Array(repeatElement(Array("Dinner at Rossi ".utf8), count: count / 16).joined())
    let small = try compressed(text)
    #expect(try decompressed(small) == text)
    if count >= Gzip.minimumSize { #expect(small.count < text.count / 4) }
  }

  @Test func usualEffort_hasSmallerResult() throws {
    let text = Array((0..<2_000).map { "\($0 * $0) items of \($0) lists, " }.joined().utf8)
    var output = ByteBuffer()
    try Gzip.compress(ByteBuffer(bytes: text), into: &output, effort: .usual)
    #expect(try decompressed(Array(output.readableBytesView)) == text)
    #expect(try output.readableBytes < compressed(text).count)
  }

  @Test func content_ofTheMaximumSize_isAccepted() throws {
    #expect(try decompressed(Self.hello, maximumSize: 5).count == 5)
    #expect(throws: GzipError.tooLarge) { try decompressed(Self.hello, maximumSize: 4) }
    #expect(throws: GzipError.tooLarge) { try decompressed(Self.hello, maximumSize: 0) }
    #expect(try decompressed(compressed([]), maximumSize: 0).isEmpty)
    for count in [1023, 1024, 1025, 4096, 100_000] {
      let file = try compressed(zeros: count)
      #expect(try decompressed(file, maximumSize: count).count == count)
      #expect(throws: GzipError.tooLarge) { try decompressed(file, maximumSize: count - 1) }
    }
  }

  /// The content is a thousand times larger than the file.
  @Test func bomb_usesNoMoreMemoryThanTheLimit() throws {
    let bomb = try compressed(zeros: 32 << 20)
    #expect(bomb.count < 200_000)
    var output = ByteBuffer()
    #expect(throws: GzipError.tooLarge) {
      try Gzip.decompress(ByteBuffer(bytes: bomb), into: &output, maximumSize: 1 << 20)
    }
    #expect(output.storageCapacity <= 2 << 20)
  }

  @Test func buffer_isAppendedTo() throws {
    var output = ByteBuffer(string: "> ")
    try Gzip.decompress(ByteBuffer(bytes: Self.hello), into: &output, maximumSize: 5)
    #expect(String(buffer: output) == "> hello")
  }

  @Test func file_whenCutOff_isAnError() {
    for count in 0..<Self.hello.count {
      #expect(throws: GzipError.truncated, "\(count) bytes") { try decompressed(Array(Self.hello.prefix(count))) }
    }
  }

  @Test func file_whenDamaged_isAnError() {
    // The magic number, the method, flags that are reserved, the content, its checksum and its size.
    for index in [0, 1, 2, 10, 11, 17, 18, 21] {
      var damaged = Self.hello
      damaged[index] ^= 0xFF
      #expect(throws: GzipError.malformed, "byte \(index)") { try decompressed(damaged) }
    }
  }

  @Test func file_followedByBytes_isAnError() {
    #expect(throws: GzipError.malformed) { try decompressed(Self.hello + [0]) }
    #expect(throws: GzipError.malformed) { try decompressed(Self.hello + Self.hello) }
  }

  @Test func otherFormats_areErrors() {
    // zlib's format, and deflate without a header.
    #expect(throws: GzipError.malformed) { try decompressed([0x78, 0x9C, 0x03, 0, 0, 0, 0, 1]) }
    #expect(throws: GzipError.malformed) { try decompressed([0x03, 0]) }
    #expect(throws: GzipError.malformed) { try decompressed(Array("hello".utf8)) }
  }
}
#endif
