import ToDoRPC

/// The stream IDs that a client has used on a connection. Each ID may be used once.
///
/// IDs grow, but some clients write requests in a different order than they number them. An ID that was skipped
/// therefore remains valid while it is within the reorder window below the highest ID.
struct UsedStreamIDs {
  private(set) var highest = StreamID(0)
  /// One bit for each of the last 1,024 odd IDs, at the ID's index modulo 1,024.
  private var used = InlineArray<16, UInt64>(repeating: 0)

  /// The maximum distance of an ID below the highest ID.
  static let reorderWindow: UInt32 = 1024

  /// Marks an ID as used.
  ///
  /// - Parameter id: an odd ID.
  /// - Returns: whether the ID was unused and within the reorder window.
  mutating func claim(_ id: StreamID) -> Bool {
    if id > highest {
      advance(to: id)
    } else if highest.rawValue - id.rawValue > Self.reorderWindow || isUsed(id) {
      return false
    }
    let position = Self.position(id.rawValue >> 1)
    used[position.word] |= position.bit
    return true
  }

  private func isUsed(_ id: StreamID) -> Bool {
    let position = Self.position(id.rawValue >> 1)
    return used[position.word] & position.bit != 0
  }

  /// Clears the bits of the IDs that are skipped. Older IDs used the same bits.
  private mutating func advance(to id: StreamID) {
    let (old, new) = (highest.rawValue >> 1, id.rawValue >> 1)
    if new - old >= 1024 {
      used = InlineArray(repeating: 0)
    } else if new > old {
      for index in old + 1...new {
        let position = Self.position(index)
        used[position.word] &= ~position.bit
      }
    }
    highest = id
  }

  private static func position(_ index: UInt32) -> (word: Int, bit: UInt64) {
    (Int(index >> 6 & 15), 1 << UInt64(index & 63))
  }
}
