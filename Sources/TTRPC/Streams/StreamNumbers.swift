import RPC

/// The stream numbers that a client has used on a connection; each may be used once.
///
/// They grow, but some clients write requests in another order than they number them in. So a number that was left out
/// is still good while it is within reach of the highest.
struct StreamNumbers {
  private(set) var highest = StreamID(0)
  /// A bit for each of the last odd numbers, at its place in their row modulo 1,024.
  private var used = InlineArray<16, UInt64>(repeating: 0)

  /// How far below the highest a number may be.
  static let reach: UInt32 = 1024

  /// - Parameter id: an odd number.
  /// - Returns: whether it could be used, and now is.
  mutating func use(_ id: StreamID) -> Bool {
    if id > highest {
      advance(to: id)
    } else if highest.rawValue - id.rawValue > Self.reach || isUsed(id) {
      return false
    }
    let place = Self.place(id.rawValue >> 1)
    used[place.word] |= place.bit
    return true
  }

  private func isUsed(_ id: StreamID) -> Bool {
    let place = Self.place(id.rawValue >> 1)
    return used[place.word] & place.bit != 0
  }

  /// The numbers that are skipped are unused, whatever had their places before.
  private mutating func advance(to id: StreamID) {
    let (old, new) = (highest.rawValue >> 1, id.rawValue >> 1)
    if new - old >= 1024 {
      used = InlineArray(repeating: 0)
    } else if new > old {
      for number in old + 1...new {
        let place = Self.place(number)
        used[place.word] &= ~place.bit
      }
    }
    highest = id
  }

  private static func place(_ number: UInt32) -> (word: Int, bit: UInt64) {
    (Int(number >> 6 & 15), 1 << UInt64(number & 63))
  }
}
