/// Tells the deliveries of one reminder apart: the first one, and those after the user has snoozed it. All attempts of a delivery
/// have the same mark, also those after a restart or by another program.
///
/// An attempt snoozes the reminder until its lease ends, so the stored reminder loses the time when the user was to be told. The
/// lease's end carries the mark, as microseconds of its second, which are at least `first`. A time with fewer microseconds has a
/// mark that is computed from it. A user's snooze with as many is its own mark.
package struct DeliveryMark: Hashable, Sendable {
  /// The microseconds of a second.
  package let microseconds: Int64

  /// Returns the mark of a delivery.
  ///
  /// - Parameter tellTime: the time from which the user is to be told: the reminder's, a snooze's, or a lease's end.
  package init(_ tellTime: Timestamp) {
    let part = tellTime.microseconds.flooredDivision(by: Self.second).remainder
    microseconds = part >= Self.first ? part : Self.first + Self.hash(tellTime) % (Self.second - Self.first)
  }

  /// Returns the end of a lease, less than a second before a time.
  package func leaseEnd(before time: Timestamp) -> Timestamp {
    let rest = (time.microseconds - microseconds).flooredDivision(by: Self.second).remainder
    return Timestamp(microseconds: time.microseconds - rest)
  }

  private static let second: Int64 = 1_000_000
  private static let first: Int64 = 500_000

  /// Returns a number that is the same in every program: the end of SplitMix64.
  private static func hash(_ time: Timestamp) -> Int64 {
    var bits = UInt64(bitPattern: time.microseconds)
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return Int64((bits ^ bits >> 31) >> 1)
  }
}
