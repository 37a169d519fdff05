extension ItemID {
  /// The ID for the done item that a check adds for an occurrence: a UUID of version 8 (RFC 9562, section 5.8) with the time of the
  /// ID of the item that repeats, so that both are near each other in the stores.
  ///
  /// - Parameter hash: a hash of the values that distinguish the occurrence.
  package init(occurrenceOf id: ItemID, hash: (low: UInt64, high: UInt64)) {
    self.init(
      high: id.high & 0xFFFF_FFFF_FFFF_0000 | 0x8000 | hash.high & 0xFFF, low: 0x8000_0000_0000_0000 | hash.low >> 2)
  }

  /// Whether the ID has the form of an occurrence's. Clients can choose such an ID, too.
  package var isOccurrence: Bool { high & 0xF000 == 0x8000 }

  /// Whether the ID has the form that an occurrence of another item has.
  package func isOccurrence(of other: ItemID) -> Bool { isOccurrence && high >> 16 == other.high >> 16 }
}
