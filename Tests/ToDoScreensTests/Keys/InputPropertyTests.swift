import Testing
import ToDoTestSupport

@testable import ToDoScreens

/// Parses random bytes in random pieces.
@Suite struct InputPropertyTests {
  /// Bytes from which sequences are likely to arise.
  private static let fragments: [[UInt8]] = [
    Array("\u{1B}".utf8), Array("[".utf8), Array("O".utf8), Array("<".utf8), Array(";".utf8), Array("1".utf8),
    Array("~".utf8), Array("M".utf8), Array("m".utf8), Array("A".utf8), Array("]".utf8), [0x07], [0x0D], [0x0A], [0x7F],
    Array("\u{1B}[200~".utf8), Array("\u{1B}[201~".utf8), Array("\u{1B}[201".utf8), Array("\u{1B}[<0;5;5M".utf8),
    Array("é".utf8), Array("牛".utf8), Array("👨‍👩‍👧‍👦".utf8), Array("e\u{301}".utf8), [0xF0], [0x9F], [0xE2], [0x80], [0xFF],
  ]

  private static func bytes(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...40, using: &generator) {
      if Int.random(in: 0..<4, using: &generator) == 0 {
        bytes.append(UInt8.random(in: 0...255, using: &generator))
      } else {
        bytes += fragments.randomElement(using: &generator) ?? []
      }
    }
    return bytes
  }

  /// An input, or the text of adjacent characters. The pieces of the bytes determine how characters are joined to clusters.
  private enum Part: Equatable {
    case text(String)
    case input(ScreenEvent)
  }

  private static func parts(_ inputs: [ScreenEvent]) -> [Part] {
    var parts: [Part] = []
    for input in inputs {
      guard case .key(.character(let character)) = input else {
        parts.append(.input(input))
        continue
      }
      if case .text(let text)? = parts.last {
        parts[parts.count - 1] = .text(text + String(character))
      } else {
        parts.append(.text(String(character)))
      }
    }
    return parts
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func inputs_ofRandomPieces_areSameAsOfOnePiece(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let bytes = Self.bytes(&generator)
      var (whole, pieces) = (InputParser(), InputParser())
      let expected = whole.inputs(in: bytes) + whole.flush()
      var inputs: [ScreenEvent] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 1...5, using: &generator))
        inputs += pieces.inputs(in: piece)
        rest = rest.dropFirst(piece.count)
      }
      inputs += pieces.flush()
      #expect(Self.parts(inputs) == Self.parts(expected), "\(bytes)")
    }
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func decoder_ofRandomBytes_agreesWithStandardLibrary(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<200 {
      let bytes = Self.bytes(&generator)
      var decoder = UTF8Decoder()
      var scalars = String.UnicodeScalarView()
      for byte in bytes { decoder.decode(byte) { scalars.append($0) } }
      decoder.reset { scalars.append($0) }
      #expect(Array(scalars) == Array(String(decoding: bytes, as: UTF8.self).unicodeScalars), "\(bytes)")
    }
  }
}
