import Synchronization
import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  private static let numbers: Range<UInt64> = 0..<100

  static var concurrencyRules: [Rule] {
    [
      Rule("concurrent writes get distinct revisions, and none is lost") { store async throws in
        let added = try await inParallel { try await store.add(.sample($0)) }
        #expect(added.map(\.revision.number).sorted() == numbers.map { Int64($0) + 1 })
        #expect(try await store.allItems() == added.sorted { $0.id < $1.id })
        #expect(try await store.revision() == Revision(Int64(numbers.count)))
      },
      Rule("exactly one of several concurrent adds of one content passes the duplicate check") { store async throws in
        let passed = try await inParallel { number in
          try await store.write(.local) { transaction in
            let item = ToDoItem.sample(number, title: "Same")
            let fingerprint = ContentFingerprint(of: item.content)
            guard try transaction.incompleteItem(matching: fingerprint) == nil else { return false }
            try transaction.add(item)
            return true
          }
        }
        #expect(passed.count { $0 } == 1)
        #expect(try await store.allItems().count == 1)
      },
      Rule("write bodies never run concurrently, even for different owners") { store async throws in
        let running = Atomic(0)
        let overlaps = try await inParallel { number in
          try await store.write(OwnerID("owner \(number % 3)")) { transaction in
            let others = running.add(1, ordering: .relaxed).oldValue
            _ = try transaction.record(of: .sample(number))
            running.subtract(1, ordering: .relaxed)
            return others
          }
        }
        #expect(overlaps.allSatisfy { $0 == 0 })
      },
      Rule("a read sees all writes that returned before it") { store async throws in
        let seen = try await inParallel { number in
          let item = try await store.add(.sample(number))
          let read = try await store.item(item.id, of: .local)
          let listed = try await store.items(ItemSelection(limit: 1), of: .local)
          return read == item && listed.revision >= item.revision
        }
        #expect(seen.allSatisfy { $0 })
      },
      Rule("a listing shows whole writes at their revision") { store async throws in
        let whole = try await inParallel { number in
          guard number % 2 == 0 else {
            let listing = try await store.items(ItemSelection(order: .created, limit: 1000), of: .local)
            return listing.items.count == Int(listing.revision.number) * 2
          }
          try await store.add([.sample(number), .sample(number + 1)])
          return true
        }
        #expect(whole.allSatisfy { $0 })
      },
      Rule("the body of a cancelled caller does not run") { store async throws in
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          try await store.add(.sample(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(try await store.allItems() == [])
        #expect(try await store.revision() == .initial)
      },
    ]
  }

  /// Runs `operation` concurrently for each number, and returns the results.
  private static func inParallel<Value: Sendable>(
    _ operation: @escaping @Sendable (UInt64) async throws -> Value
  ) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
      for number in numbers { group.addTask { try await operation(number) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }
}
