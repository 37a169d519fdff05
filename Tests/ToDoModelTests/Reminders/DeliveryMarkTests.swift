import Testing
import ToDoModel

@Suite struct DeliveryMarkTests {
  private let time = Timestamp(microseconds: 1_767_225_600_000_000)

  private func later(_ microseconds: Int64) -> Timestamp { Timestamp(microseconds: time.microseconds + microseconds) }

  @Test(arguments: [0, 1, 499_999, 500_000, 999_999, 3_600_000_000, -1] as [Int64])
  func leaseEnd_keepsMark(_ microseconds: Int64) {
    let mark = DeliveryMark(later(microseconds))
    #expect((500_000..<1_000_000).contains(mark.microseconds))
    var end = later(microseconds)
    for minutes in [1, 4, 16, 32] as [Int64] {
      let limit = Timestamp(microseconds: end.microseconds + minutes * 60_000_000 + 123_456)
      end = mark.leaseEnd(before: limit)
      #expect(DeliveryMark(end) == mark)
      #expect(end <= limit && limit.microseconds - end.microseconds < 1_000_000)
    }
  }

  @Test func times_haveDifferentMarks() {
    let minutes = Set((0..<1_440).map { DeliveryMark(later($0 * 60_000_000)).microseconds })
    #expect(minutes.count > 1_430)
  }
}
