import Testing
public import ToDoModel
public import ToDoRules

/// The contract between the account store and the item store of one database, one rule a sentence. Each rule needs new, empty
/// stores.
public enum AccessContract {
  /// The two stores of one database.
  public struct Stores: Sendable {
    let accounts: any AccountStore
    let items: any ToDoItemStore
    let purge: @Sendable (OwnerID) async throws -> Void

    /// Creates the pair of stores.
    ///
    /// - Parameter purge: deletes a list permanently.
    public init(
      accounts: any AccountStore, items: any ToDoItemStore, purge: @escaping @Sendable (OwnerID) async throws -> Void
    ) {
      self.accounts = accounts
      self.items = items
      self.purge = purge
    }

    fileprivate func accessVersion(of list: OwnerID) async throws -> Int64 {
      try await items.write(list) { try $0.accessVersion }
    }

    /// Adds an item in a write of a caller whose access was checked at an account version.
    fileprivate func add(_ number: UInt64, to list: OwnerID, checkedAt version: Int64) async throws -> Bool {
      try await items.write(list) { transaction in
        guard try transaction.accessVersion <= version else { return false }
        try transaction.add(.sample(number))
        return true
      }
    }

    fileprivate func count(_ list: OwnerID) async throws -> Int {
      try await items.items(ItemSelection(limit: .max), of: list).items.count
    }
  }

  /// All rules of the contract.
  public static var rules: [ContractRule<Stores>] {
    [
      Rule("a write that was admitted before its user was removed is not made afterwards") { stores async throws in
        for isNew in [true, false] {
          let ann = User.sample(isNew ? "ann" : "bob")
          try await stores.accounts.addUser(ann)
          let version = try await stores.accounts.accountVersion()
          if !isNew { #expect(try await stores.add(1, to: ann.list, checkedAt: version)) }
          _ = try await stores.accounts.removeUser(ann.name)
          #expect(try await stores.add(2, to: ann.list, checkedAt: version) == false)
          let current = try await stores.accounts.accountVersion()
          #expect(try await stores.add(3, to: ann.list, checkedAt: current))
          #expect(try await stores.add(4, to: ann.list, checkedAt: version) == false)
        }
      },
      Rule("a revoked token ends the access to its user's list, and to no other") { stores async throws in
        let (ann, bob) = (User.sample("ann"), User.sample("bob"))
        for user in [ann, bob] { try await stores.accounts.addUser(user) }
        let version = try await stores.accounts.accountVersion()
        for user in [ann, bob] { #expect(try await stores.add(1, to: user.list, checkedAt: version)) }
        try await stores.accounts.addToken(.sample(1, "ann"))
        #expect(try await stores.add(2, to: ann.list, checkedAt: version))
        try await stores.accounts.revokeToken(AccessTokenID(number: 1))
        #expect(try await stores.add(3, to: ann.list, checkedAt: version) == false)
        #expect(try await stores.add(3, to: bob.list, checkedAt: version))
        let current = try await stores.accounts.accountVersion()
        #expect(try await stores.accessVersion(of: ann.list) == current)
      },
      Rule("a revoked token ends the access to its user's further lists") { stores async throws in
        let ann = User.sample("ann")
        try await stores.accounts.addUser(ann)
        guard let lists = stores.accounts as? any ListStore else {
          Issue.record("the store of accounts stores no lists")
          return
        }
        let (work, others) = (ListID(high: 1, low: 1), ListID(high: 1, low: 2))
        for (id, owner) in [(work, ann.list), (others, OwnerID("bob"))] {
          _ = try await lists.changeLists(of: owner) { records in
            try records.create(NewList(id: id, name: "Work"), at: Timestamp(microseconds: 1), limit: 9)
          }
        }
        let version = try await stores.accounts.accountVersion()
        for id in [work, others] { #expect(try await stores.add(1, to: OwnerID(id), checkedAt: version)) }
        try await stores.accounts.addToken(.sample(1, "ann"))
        try await stores.accounts.revokeToken(AccessTokenID(number: 1))
        #expect(try await stores.add(2, to: OwnerID(work), checkedAt: version) == false)
        #expect(try await stores.add(2, to: OwnerID(others), checkedAt: version))
      },
      Rule("the first user ends the access of others to the list 'local'") { stores async throws in
        #expect(try await stores.add(1, to: .local, checkedAt: 0))
        try await stores.accounts.addUser(.sample("ann"))
        #expect(try await stores.add(2, to: .local, checkedAt: 0) == false)
      },
      Rule("no write is made after the removal of its user has returned") { stores async throws in
        let ann = User.sample("ann")
        try await stores.accounts.addUser(ann)
        let version = try await stores.accounts.accountVersion()
        let started = Condition(0)
        let writes = Task {
          try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...200 as ClosedRange<UInt64> {
              group.addTask {
                let isMade = try await stores.add(number, to: ann.list, checkedAt: version)
                started.change { $0 += 1 }
                return isMade ? 1 : 0
              }
            }
            return try await group.reduce(0, +)
          }
        }
        await started.wait { $0 >= 1 }
        _ = try await stores.accounts.removeUser(ann.name)
        let count = try await stores.count(ann.list)
        #expect(try await writes.value == count)
        #expect(try await stores.count(ann.list) == count)
      },
      Rule("a purged list stays empty until its user is added again") { stores async throws in
        let ann = User.sample("ann")
        try await stores.accounts.addUser(ann)
        let version = try await stores.accounts.accountVersion()
        #expect(try await stores.add(1, to: ann.list, checkedAt: version))
        _ = try await stores.accounts.removeUser(ann.name)
        let started = Condition(0)
        let writes = Task {
          var number: UInt64 = 2
          while !Task.isCancelled {
            let isMade = try await stores.add(number, to: ann.list, checkedAt: version)
            #expect(!isMade)
            number += 1
            started.change { $0 += 1 }
          }
        }
        await started.wait { $0 >= 1 }
        try await stores.purge(ann.list)
        writes.cancel()
        _ = await writes.result
        #expect(try await stores.count(ann.list) == 0)
        try await stores.accounts.addUser(ann)
        let current = try await stores.accounts.accountVersion()
        // A store in memory keeps the IDs.
        #expect(try await stores.add(1_000_000, to: ann.list, checkedAt: current))
      },
    ]
  }

  typealias Rule = ContractRule<Stores>
}
