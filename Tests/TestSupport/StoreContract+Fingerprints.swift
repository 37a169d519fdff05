import Testing
import ToDoModel

extension StoreContract {
  static var fingerprintRules: [Rule] {
    [
      Rule("undone items are found by their fingerprint, the oldest first") { store async throws in
        let same = "Same"
        let items = try await store.add([
          .sample(1, title: same, created: 30), .sample(2, title: same, created: 10), .sample(3, title: "Other"),
          .sample(4, title: same, created: 20), .sample(5, title: same, created: 10),
        ])
        let found = try await store.undoneItems(matching: items[0].content)
        #expect(found == [items[1], items[4], items[3], items[0]])
      },
      Rule("several fingerprints are looked up at once, the oldest item first") { store async throws in
        let items = try await store.add([.sample(1, created: 3), .sample(2, created: 1), .sample(3, created: 2)])
        let wanted = [items[0], items[1], items[0]].map { ContentFingerprint(of: $0.content) }
        let found = try await store.write(.local) { try $0.undoneItems(withFingerprints: wanted) }
        #expect(found == [items[1], items[0]])
        #expect(try await store.write(.local) { try $0.undoneItems(withFingerprints: []) } == [])
        let four = [1, 2, 3].map { ContentFingerprint(bits: $0) } + [ContentFingerprint(of: items[2].content)]
        #expect(try await store.write(.local) { try $0.undoneItems(withFingerprints: four) } == [items[2]])
      },
      Rule("a done item is not found by its fingerprint until it is undone again") { store async throws in
        let item = try await store.add(.sample(1))
        let done = try await store.update(item.completed(at: item.createdAt))
        #expect(try await store.undoneItems(matching: item.content) == [])
        let undone = try await store.update(done.completed(at: nil))
        #expect(try await store.undoneItems(matching: item.content) == [undone])
      },
      Rule("an updated item is found by the fingerprint of its new content only") { store async throws in
        let item = try await store.add(.sample(1))
        let updated = try await store.update(item.titled("Other"))
        #expect(try await store.undoneItems(matching: item.content) == [])
        #expect(try await store.undoneItems(matching: updated.content) == [updated])
      },
      Rule("a deleted item is not found by its fingerprint") { store async throws in
        let items = try await store.add([.sample(1, title: "Same"), .sample(2, title: "Same")])
        try await store.delete(items[0].id)
        #expect(try await store.undoneItems(matching: items[0].content) == [items[1]])
        _ = try await store.delete(.all)
        #expect(try await store.undoneItems(matching: items[0].content) == [])
      },
      Rule("a fingerprint is any 64 bits") { store async throws in
        for (number, bits) in ([0, 1, .max, 1 << 63, (1 << 63) - 1] as [UInt64]).enumerated() {
          let fingerprint = ContentFingerprint(bits: bits)
          let item = try await store.write(.local) {
            try $0.add(.sample(UInt64(number)), fingerprint: fingerprint)
          }
          let found = try await store.write(.local) { try $0.undoneItems(withFingerprints: [fingerprint]) }
          #expect(found == [item])
          #expect(try await store.record(of: item.id) == .present(item, addedAs: fingerprint))
        }
      },
    ]
  }
}
