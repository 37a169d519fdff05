import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  static var fingerprintRules: [Rule] {
    [
      Rule("an incomplete item is found by its fingerprint") { store async throws in
        let items = try await store.add([.sample(1, title: "Same"), .sample(2, title: "Other")])
        #expect(try await store.incompleteItem(matching: items[0].content) == items[0].id)
        #expect(try await store.incompleteItem(matching: items[1].content) == items[1].id)
        #expect(try await store.incompleteItem(matching: ItemContent(title: "None")) == nil)
      },
      Rule("one of many items with the same fingerprint is found") { store async throws in
        let items = try await store.add((1...300).map { .sample($0, title: "Same") })
        let found = try #require(try await store.incompleteItem(matching: items[0].content))
        #expect(items.map(\.id).contains(found))
      },
      Rule("several items with the same fingerprint are found, up to a limit") { store async throws in
        let items = try await store.add((1...5).map { .sample($0, title: "Same") } + [.sample(6, title: "Other")])
        let same = Set(items.prefix(5).map(\.id))
        let fingerprint = ContentFingerprint(of: items[0].content)
        try await store.write(.local) { transaction in
          try transaction.delete(items[0].id, at: items[0].createdAt, restorableUntil: nil)
          try transaction.add(.sample(7, title: "Same"))
          let expected = same.subtracting([items[0].id]).union([.sample(7)])
          #expect(Set(try transaction.incompleteItems(matching: fingerprint, limit: 9)) == expected)
          let some = try transaction.incompleteItems(matching: fingerprint, limit: 3)
          #expect(some.count == 3 && Set(some).isSubset(of: expected))
        }
      },
      Rule("a fingerprint with a spot matches fingerprints with neighboring spots") { store async throws in
        for (number, spot) in spots.enumerated() {
          let base = ContentFingerprint(high: 7, low: UInt64(number))
          let (high, low) = (base.high, base.low)
          @Sendable func fingerprint(_ north: Int32, _ east: Int32) -> ContentFingerprint {
            let moved = ContentFingerprint.Spot(latitude: spot.latitude + north, longitude: spot.longitude + east)
            return ContentFingerprint(high: high, low: low, spot: moved)
          }
          let item = try await store.write(.local) {
            try $0.add(.sample(UInt64(number)), fingerprint: fingerprint(0, 0))
          }
          for north in -2...2 as ClosedRange<Int32> {
            for east in -2...2 as ClosedRange<Int32> {
              let found = try await store.write(.local) { try $0.incompleteItem(matching: fingerprint(north, east)) }
              #expect(found == (abs(north) <= 1 && abs(east) <= 1 ? item.id : nil), "\(spot), \(north), \(east)")
            }
          }
          #expect(try await store.write(.local) { try $0.incompleteItem(matching: base) } == nil)
          let near = try await store.write(.local) { try $0.incompleteItems(matching: fingerprint(1, -1), limit: 2) }
          #expect(near == [item.id])
        }
      },
      Rule("a match is found among items at the same latitude") { store async throws in
        try await store.write(.local) { transaction in
          for number in 0..<200 as Range<Int32> {
            let spot = ContentFingerprint.Spot(latitude: number % 3, longitude: 10 + number)
            let fingerprint = ContentFingerprint(high: 1, low: 1, spot: spot)
            try transaction.add(.sample(UInt64(number)), fingerprint: fingerprint)
          }
        }
        for (longitude, number) in [(8, nil), (9, 0), (210, 199), (211, nil)] as [(Int32, UInt64?)] {
          let spot = ContentFingerprint.Spot(latitude: 1, longitude: longitude)
          let found = try await store.write(.local) {
            try $0.incompleteItem(matching: ContentFingerprint(high: 1, low: 1, spot: spot))
          }
          #expect(found == number.map(ItemID.sample))
        }
      },
      Rule("a done item is not found by its fingerprint until it is incomplete again") { store async throws in
        let item = try await store.add(.sample(1))
        let done = try await store.update(item.completed(at: item.createdAt))
        #expect(try await store.incompleteItem(matching: item.content) == nil)
        _ = try await store.update(done.completed(at: nil))
        #expect(try await store.incompleteItem(matching: item.content) == item.id)
      },
      Rule("an updated item is found only by the fingerprint of its new content") { store async throws in
        let item = try await store.add(.sample(1))
        let updated = try await store.update(item.titled("Other"))
        #expect(try await store.incompleteItem(matching: item.content) == nil)
        #expect(try await store.incompleteItem(matching: updated.content) == item.id)
      },
      Rule("a deleted item is not found by its fingerprint") { store async throws in
        let items = try await store.add([.sample(1, title: "Same"), .sample(2, title: "Same")])
        try await store.delete(items[0].id)
        #expect(try await store.incompleteItem(matching: items[0].content) == items[1].id)
        _ = try await store.delete(.all)
        #expect(try await store.incompleteItem(matching: items[0].content) == nil)
      },
      Rule("a fingerprint can be any 128 bits, with or without a spot") { store async throws in
        let words = [0, 1, .max, 1 << 63, (1 << 63) - 1] as [UInt64]
        for (number, word) in (words + words).enumerated() {
          let spot = number < words.count ? nil : spots[number % spots.count]
          let fingerprint = ContentFingerprint(high: word, low: ~word, spot: spot)
          let item = try await store.write(.local) {
            try $0.add(.sample(UInt64(number)), fingerprint: fingerprint)
          }
          #expect(try await store.write(.local) { try $0.incompleteItem(matching: fingerprint) } == item.id)
          #expect(try await store.record(of: item.id) == .present(item, addedAs: fingerprint))
        }
      },
    ]
  }

  /// Spots near the extremes of the coordinates, and near changes of sign.
  private static let spots = [(0, 0), (-1, 1), (900_000_000, 1_800_000_000), (-900_000_000, -1_800_000_000)].map {
    ContentFingerprint.Spot(latitude: $0.0, longitude: $0.1)
  }
}
