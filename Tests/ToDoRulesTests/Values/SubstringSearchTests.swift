import Synchronization
import Testing
import ToDoRules
import ToDoTestSupport

@testable import ToDoRules

@Suite struct SubstringSearchTests {
  @Test func firstMatch_agreesWithComparingEachPosition() {
    var random = SeededGenerator(seed: 11)
    func bytes(_ count: ClosedRange<Int>, _ kinds: UInt8) -> [UInt8] {
      (0..<Int.random(in: count, using: &random)).map { _ in UInt8.random(in: 1...kinds, using: &random) }
    }
    for round in 0..<20_000 {
      let kinds = [1, 2, 2, 3][round % 4] as UInt8
      let (needle, text) = (bytes(1...9, kinds), bytes(0...60, kinds))
      let modulus = Int.random(in: 1...3, using: &random)
      let search = SubstringSearch(needle)
      let start = Int.random(in: 0...text.count, using: &random)
      let expected = text.indices.dropFirst(start).first {
        text[$0...].starts(with: needle) && $0 % modulus == 0
      }
      text.withUnsafeBufferPointer { text in
        #expect(search.firstMatch(in: text, from: start) { $0 % modulus == 0 } == expected)
        #expect(search.firstMatchTwoWay(in: text, from: start) { $0 % modulus == 0 } == expected)
      }
    }
  }

  private static let ones = [Int](repeating: 1, count: 511)
  private static let manyOnes = [Int](repeating: 1, count: 65_536)
  private static let manyOnesAndTwos = (0..<65_536).map { 1 + $0 % 2 }

  @Test(
    arguments: [
      ([0] + ones, manyOnes), (ones + [0], manyOnes), (ones + [2], manyOnes), (ones + [1], manyOnes),
      ([1, 2, 1, 2, 1, 3], manyOnesAndTwos), (Array(manyOnesAndTwos[..<511]), manyOnesAndTwos),
    ] as [([Int], [Int])])
  func firstMatch_comparesEachElementThreeTimesAtMost(_ needle: [Int], _ text: [Int]) {
    let counter = Counter()
    let search = SubstringSearch(needle.map { Counted(value: $0, counter: counter) })
    counter.count.store(0, ordering: .relaxed)
    let counted = text.map { Counted(value: $0, counter: counter) }
    counted.withUnsafeBufferPointer { #expect(search.firstMatchTwoWay(in: $0, from: 0) { _ in false } == nil) }
    #expect(counter.count.load(ordering: .relaxed) <= 3 * text.count)
  }
}

private final class Counter: Sendable {
  let count = Atomic(0)
}

private struct Counted: Comparable, Sendable {
  let value: Int
  let counter: Counter

  static func == (left: Self, right: Self) -> Bool {
    left.counter.count.add(1, ordering: .relaxed)
    return left.value == right.value
  }

  static func < (left: Self, right: Self) -> Bool {
    left.counter.count.add(1, ordering: .relaxed)
    return left.value < right.value
  }
}
