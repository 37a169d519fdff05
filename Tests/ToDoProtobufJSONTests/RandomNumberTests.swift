import Testing
import ToDoProtobufJSON
import ToDoTestSupport

/// Numbers of all magnitudes.
@Suite struct RandomNumberTests {
  private let json = MessageJSON.allTypes

  private func hex(_ bits: UInt64, bytes: Int) -> String {
    (0..<bytes).map { index in
      let digits = String(bits >> (8 * index) & 0xFF, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  @Test func numbers_areUnchanged_afterBothWays() throws {
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<2000 {
      let bits = UInt64.random(in: 0...UInt64.max, using: &generator) >> UInt64.random(in: 0...63, using: &generator)
      // Members of a oneof, which are present even if they are zero: fixed64, sfixed64, fixed32, double, float.
      var wires = [
        "9103" + hex(bits, bytes: 8), "f102" + hex(bits, bytes: 8), "8503" + hex(bits, bytes: 4),
      ]
      if !Double(bitPattern: bits).isNaN { wires.append("a103" + hex(bits, bytes: 8)) }
      if !Float(bitPattern: UInt32(truncatingIfNeeded: bits)).isNaN { wires.append("9d03" + hex(bits, bytes: 4)) }
      for wire in wires { #expect(try json.wire(json.text(wire)) == wire) }
    }
  }
}
