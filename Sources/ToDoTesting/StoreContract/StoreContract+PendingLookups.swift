import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  static var pendingLookupRules: [Rule] {
    [
      Rule("a pending lookup can be stored, replaced and removed") { store async throws in
        let lookup = PendingLookup.sample(1, due: 5)
        try await store.set(lookup)
        #expect(try await store.pendingLookup(of: lookup.item) == lookup)
        var other = lookup
        other.address = "There 1"
        other.attempts = 7
        try await store.set(other)
        #expect(try await store.pendingLookup(of: lookup.item) == other)
        try await store.write(.local) { try $0.setPendingLookup(of: lookup.item, nil) }
        #expect(try await store.pendingLookup(of: lookup.item) == nil)
      },
      Rule("storing a pending lookup does not change the list") { store async throws in
        try await store.add(.sample(1))
        try await store.set(.sample(1, due: 5))
        #expect(try await store.revision() == Revision(1))
        #expect(try await store.changes(ChangeSelection(after: Revision(1), limit: 1), of: .local).sets.isEmpty)
      },
      Rule("a pending lookup belongs to its owner") { store async throws in
        try await store.set(.sample(1, due: 5, of: OwnerID("other")))
        #expect(try await store.pendingLookup(of: .sample(1)) == nil)
      },
      Rule("due lookups of all owners are claimed, the longest due first") { store async throws in
        let lookups = [
          PendingLookup.sample(1, due: 30), .sample(2, due: 10, of: OwnerID("other")), .sample(3, due: 20),
          .sample(4, due: 41),
        ]
        for lookup in lookups { try await store.set(lookup) }
        let claimed = try await store.claim(by: 40, until: 100, limit: 2)
        #expect(claimed == [lookups[1], lookups[2]].map { $0.due(at: 100) })
        #expect(try await store.claim(by: 40, until: 100, limit: 9) == [lookups[0].due(at: 100)])
        #expect(try await store.claim(by: 40, until: 100, limit: 9).isEmpty)
        #expect(try await store.claim(by: 41, until: 100, limit: 9) == [lookups[3].due(at: 100)])
        // No call settled the lookups, so they can be claimed again after the lease.
        #expect(try await store.claim(by: 100, until: 200, limit: 9).count == 4)
      },
      Rule("exactly one of several concurrent claims gets a lookup") { store async throws in
        for number in 0..<20 { try await store.set(.sample(UInt64(number), due: 1)) }
        let claimed = try await withThrowingTaskGroup(of: [PendingLookup].self) { group in
          for _ in 0..<8 { group.addTask { try await store.claim(by: 5, until: 100, limit: 3) } }
          return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(claimed.count == 20)
        #expect(Set(claimed.map(\.item)).count == 20)
      },
      Rule("a write that fails does not change pending lookups") { store async throws in
        let lookup = PendingLookup.sample(1, due: 5)
        try await store.set(lookup)
        await #expect(throws: CancellationError.self) {
          try await store.write(.local) { transaction -> Void in
            try transaction.setPendingLookup(of: lookup.item, nil)
            try transaction.setPendingLookup(of: .sample(2), .sample(2, due: 5))
            throw CancellationError()
          }
        }
        #expect(try await store.pendingLookup(of: lookup.item) == lookup)
        #expect(try await store.pendingLookup(of: .sample(2)) == nil)
      },
    ]
  }
}

extension PendingLookup {
  fileprivate static func sample(_ number: UInt64, due: Int64, of owner: OwnerID = .local) -> PendingLookup {
    PendingLookup(
      owner: owner, item: .sample(number), address: "Main Street \(number)", attempts: 1,
      due: Timestamp(microseconds: due))
  }

  fileprivate func due(at time: Int64) -> PendingLookup {
    var lookup = self
    lookup.due = Timestamp(microseconds: time)
    return lookup
  }
}

extension ToDoItemStore {
  fileprivate func set(_ lookup: PendingLookup) async throws {
    try await write(lookup.owner) { try $0.setPendingLookup(of: lookup.item, lookup) }
  }

  fileprivate func pendingLookup(of id: ItemID) async throws -> PendingLookup? {
    try await write(.local) { try $0.pendingLookup(of: id) }
  }

  fileprivate func claim(by now: Int64, until lease: Int64, limit: Int) async throws -> [PendingLookup] {
    try await claimPendingLookups(
      dueBy: Timestamp(microseconds: now), until: Timestamp(microseconds: lease), limit: limit)
  }
}
