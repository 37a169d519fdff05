#if GRPC
import NIOCore
import ToDoRPC
import Testing

@testable import ToDoGRPCTransport

@Suite struct FrameSplitterTests {
  private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

  private static func frame(_ type: UInt8, flags: UInt8 = 0, length: Int) -> [UInt8] {
    [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), type, flags, 0, 0, 0, 1]
      + Array(repeating: type, count: length)
  }

  /// Feeds bytes in parts, and returns what came out after each.
  private static func parts(
    of bytes: [UInt8], by size: Int, _ splitter: inout FrameSplitter, _ check: (FrameSplitter) -> Void = { _ in }
  ) throws -> [[UInt8]] {
    var parts: [[UInt8]] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      splitter.append(ByteBuffer(bytes: bytes[start..<min(start + size, bytes.count)]))
      while let part = try splitter.next() { parts.append(Array(part.readableBytesView)) }
      check(splitter)
    }
    return parts
  }

  // Padded DATA, a header block in three frames, a frame of an unknown type, and an empty frame.
  private static let frames = [
    preface, frame(4, length: 0), frame(0, flags: 8, length: 300), frame(1, flags: 0, length: 16_384),
    frame(9, length: 20), frame(9, flags: 4, length: 1), frame(77, length: 16_384), frame(6, length: 8),
  ]

  @Test(arguments: [1, 2, 8, 9, 10, 23, 24, 2048, 16_393, 65_536])
  func bytes_whenTheyArriveInParts_leaveUnchanged_afterWholeFrames(_ size: Int) throws {
    var splitter = FrameSplitter()
    let parts = try Self.parts(of: Self.frames.flatMap(\.self), by: size, &splitter) { splitter in
      #expect(splitter.bufferedBytes <= 32_768 + 16_393 + 20 + 9)
    }
    #expect(parts.flatMap(\.self) == Self.frames.flatMap(\.self))
    var ends: Set<Int> = []
    var end = 0
    for frame in Self.frames {
      end += frame.count
      ends.insert(end)
    }
    end = 0
    for part in parts {
      end += part.count
      #expect(ends.contains(end))
    }
    #expect(splitter.bufferedBytes == 0 && splitter.pending == nil)
  }

  @Test func frames_whenTheyArriveTogether_leaveTogether() throws {
    var splitter = FrameSplitter()
    let bytes = Self.preface + Self.frame(4, length: 0) + Self.frame(6, length: 8)
    #expect(try Self.parts(of: bytes, by: bytes.count, &splitter) == [bytes])
  }

  @Test func frame_whenDeclaredTooLong_leavesAtItsHeader_andNothingFollows() throws {
    var splitter = FrameSplitter()
    let bytes = Self.preface + [0, 0x40, 1, 0, 0, 0, 0, 0, 1] + Array(repeating: 0, count: 40_000)
    for size in [1, 9, 2048, bytes.count] {
      splitter = FrameSplitter()
      let parts = try Self.parts(of: bytes, by: size, &splitter) { #expect($0.bufferedBytes <= 64) }
      #expect(parts.flatMap(\.self) == Array(bytes.prefix(33)))
    }
  }

  @Test(arguments: [7, 10, 12, 77, 255] as [UInt8])
  func frames_whenTooManyHaveNoEffect_endTheConnection(_ type: UInt8) throws {
    var splitter = FrameSplitter()
    let limit = FrameSplitter.maximumIgnoredFrames
    let ignored = Self.frame(type, length: 8)
    let bytes = Self.preface + Array(repeating: ignored, count: limit).flatMap(\.self)
    #expect(try Self.parts(of: bytes, by: 100, &splitter).flatMap(\.self) == bytes)
    #expect(throws: FrameSplitter.TooManyIgnoredFrames.self) { try Self.parts(of: ignored, by: 100, &splitter) }
    #expect(try Self.parts(of: ignored, by: 100, &splitter) == [])
  }

  @Test func pending_whileAHeaderBlockIsIncomplete_isTheBlock() throws {
    var splitter = FrameSplitter()
    _ = try Self.parts(of: Self.preface + Self.frame(4, length: 0), by: 99, &splitter)
    _ = try Self.parts(of: Self.frame(1, length: 100), by: 999, &splitter)
    #expect(splitter.pending == FrameSplitter.Pending(number: 1, length: 109))
    _ = try Self.parts(of: Self.frame(9, length: 50), by: 999, &splitter)
    #expect(splitter.pending?.number == 1 && splitter.bufferedBytes >= 150)
    _ = try Self.parts(of: Self.frame(9, flags: 4, length: 50), by: 999, &splitter)
    #expect(splitter.pending == nil && splitter.bufferedBytes == 0)
  }
}
#endif
