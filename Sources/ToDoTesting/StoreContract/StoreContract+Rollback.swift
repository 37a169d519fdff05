import Testing
import ToDoModel
import ToDoRules

extension StoreContract {
  private struct Refusal: Error, Equatable {
    var number = 7
  }

  /// Each operation that changes a list with samples 1 (incomplete) and 2 (done).
  private static let changes: [(name: String, perform: @Sendable (any ItemTransaction) throws -> Void)] = [
    ("an insertion", { try $0.add(.sample(9)) }),
    ("an update", { try $0.replace(.sample(1, title: "Other")) }),
    ("a check", { try $0.replace(.sample(1, completed: 3), .checked) }),
    ("a deletion", { try $0.delete(.sample(1), at: .sample(), restorableUntil: nil) }),
    ("a deletion of all", { _ = try $0.delete(.all, at: .sample(), restorableUntil: nil) }),
    ("a deletion of what is done", { _ = try $0.delete(.done, at: .sample(), restorableUntil: nil) }),
  ]

  package static let rollbackRules: [ContractRule<any ToDoItemStore>] =
    changes.map { change in
      Rule("\(change.name) in a body that throws is rolled back") { store async throws in
        try await expectNothingLeftBehind(in: store) { transaction in
          try change.perform(transaction)
          throw Refusal()
        }
      }
    } + [
      Rule("an error thrown by a body is rethrown unchanged") { store async throws in
        await #expect(throws: Refusal(number: 7)) { try await store.write(.local) { _ in throw Refusal() } }
        let error = ToDoError.itemNotFound(.sample(1))
        await #expect(throws: error) { try await store.write(.local) { _ in throw error } }
      },
      Rule("several changes of one item in a body that throws are rolled back") { store async throws in
        try await expectNothingLeftBehind(in: store) { transaction in
          let item = ToDoItem.sample(1, title: "Other")
          try transaction.replace(item)
          try transaction.replace(item.completed(at: item.createdAt), .checked)
          try transaction.delete(item.id, at: .sample(), restorableUntil: nil)
          try transaction.add(.sample(9))
          try transaction.delete(.sample(9), at: .sample(), restorableUntil: nil)
          throw Refusal()
        }
      },
      Rule("a body that throws does not affect other writes of the same group") { store async throws in
        let outcomes = await withTaskGroup(of: Bool.self) { group in
          for number in 0..<64 as Range<UInt64> {
            group.addTask {
              let added: Void? = try? await store.write(.local) { transaction in
                try transaction.add(.sample(number))
                if number % 3 == 0 { throw Refusal() }
              }
              return added != nil
            }
          }
          return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        let kept = (0..<64 as Range<UInt64>).filter { $0 % 3 != 0 }
        #expect(outcomes == kept.count)
        #expect(try await store.allItems().map(\.id) == kept.map(ItemID.sample))
        #expect(try await store.revision() == Revision(Int64(kept.count)))
      },
    ]

  private static func expectNothingLeftBehind(
    in store: any ToDoItemStore, after body: @escaping @Sendable (any ItemTransaction) throws -> Void
  ) async throws {
    let items = try await store.add([.sample(1), .sample(2, completed: 3)])
    let records = items.map { ItemRecord.present($0, addedAs: ContentFingerprint(of: $0.content)) }
    await #expect(throws: Refusal()) { try await store.write(.local, body) }

    #expect(try await store.allItems() == items)
    #expect(try await store.record(of: items[0].id) == records[0])
    #expect(try await store.record(of: items[1].id) == records[1])
    #expect(try await store.record(of: .sample(9)) == .absent)
    #expect(try await store.incompleteItem(matching: items[0].content) == items[0].id)
    #expect(try await store.incompleteItem(matching: ToDoItem.sample(9).content) == nil)
    #expect(try await store.revision() == Revision(1))
    #expect(try await store.changes(ChangeSelection(after: Revision(1), limit: 1), of: .local).sets == [])
    #expect(try await store.add(.sample(9)).revision == Revision(2))
  }
}
