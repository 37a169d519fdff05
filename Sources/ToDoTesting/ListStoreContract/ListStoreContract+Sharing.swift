import Testing
import ToDoModel
import ToDoRules

extension ListStoreContract {
  /// A store with the users ann, bob and cat, in which ann has the list `first`.
  private struct Users {
    let accounts: any AccountStore
    let lists: any ListStore
    let items: any ToDoItemStore
    let ann = User.sample("ann")
    let bob = User.sample("bob")
    let cat = User.sample("cat")

    init(_ stores: Stores) async throws {
      accounts = try #require(stores.lists as? any AccountStore)
      (lists, items) = (stores.lists, stores.items)
      for user in [ann, bob, cat] { try await accounts.addUser(user) }
      _ = try await lists.create(first, "Work", for: ann.list)
    }

    func share(with user: User, as role: ListRole = .editor) async throws {
      _ = try await lists.changeLists(of: ann.list) { [ann] records in
        try records.share(first, with: user, as: role, by: ann.name, at: .second(5))
      }
    }

    /// Shares the list with a user, who accepts it.
    func join(_ user: User, as role: ListRole = .editor) async throws {
      try await share(with: user, as: role)
      _ = try await lists.changeLists(of: ann.list) { try $0.accept(first, by: user.list, at: .second(5)) }
    }

    func unshare(with user: User) async throws {
      _ = try await lists.changeLists(of: ann.list) { records in
        try records.unshare(first, with: user.name.description, at: .second(6))
      }
    }

    func shared(with user: User) async throws -> ListRecords.Shared? {
      try await lists.listRecords(of: user.list).shared[first]
    }

    func accessVersion() async throws -> Int64 { try await items.write(OwnerID(first)) { try $0.accessVersion } }
  }

  static var sharingRules: [Rule] {
    [
      Rule("a shared list is stored with its members, and is among theirs") { stores async throws in
        let users = try await Users(stores)
        try await users.share(with: users.cat, as: .viewer)
        try await users.share(with: users.bob)
        let record = try #require(try await users.lists.listRecords(of: users.ann.list)[first])
        #expect(record.members.map(\.user) == ["bob", "cat"])
        #expect(record.members.map(\.owner) == [users.bob.list, users.cat.list])
        #expect(record.members.map(\.role) == [.editor, .viewer])
        #expect(record.members.allSatisfy { $0.invitedAt == .second(5) && $0.acceptedAt == nil })
        #expect(record.ownerUser == "ann")
        let shared = try #require(try await users.shared(with: users.bob))
        #expect(shared == ListRecords.Shared(record, of: users.ann.list, with: users.bob.list))
        #expect(try await users.shared(with: users.ann) == nil)
        #expect(try await users.lists.listRecords(of: users.bob.list).furtherLists == [])
      },
      Rule("a change of a shared list is one of its owner and of all its members") { stores async throws in
        let users = try await Users(stores)
        try await users.share(with: users.bob)
        let version = try await users.lists.listRecords(of: users.ann.list).version
        #expect(try await users.lists.listRecords(of: users.bob.list).version == version)
        try await users.share(with: users.cat)
        _ = try await users.lists.changeLists(of: users.ann.list) { records in
          try records.update(first, ListEdit(name: "Office"), ifVersion: nil, at: .second(7))
        }
        let changes = try await users.lists.listChanges(after: version + 1, limit: 9)
        #expect(Set(changes.owners) == [users.ann.list, users.bob.list, users.cat.list])
        #expect(changes.version == version + 2)
        #expect(try await users.shared(with: users.bob)?.record.list.name == "Office")
        try await users.unshare(with: users.bob)
        #expect(try await users.lists.listRecords(of: users.bob.list).version == version + 3)
        #expect(try await users.shared(with: users.bob) == nil)
        #expect(try await users.shared(with: users.cat)?.record.members.map(\.user) == ["cat"])
      },
      Rule("a list is shared only with users that exist") { stores async throws in
        let users = try await Users(stores)
        _ = try await users.accounts.removeUser(users.bob.name)
        await #expect(throws: ToDoError.userNotFound("bob")) { try await users.share(with: users.bob) }
        #expect(try await users.lists.listRecords(of: users.ann.list)[first]?.members == [])
      },
      Rule("an accepted membership that ends or shrinks ends the access to the list") { stores async throws in
        let users = try await Users(stores)
        let steps: [(endsAccess: Bool, step: @Sendable () async throws -> Void)] = [
          (true, { try await users.share(with: users.bob, as: .viewer) }),
          (true, { try await users.unshare(with: users.bob) }), (false, { try await users.join(users.bob) }),
          (
            true,
            {
              _ = try await users.lists.changeLists(of: users.ann.list) { records in
                try records.delete(first, at: .second(8), restorableUntil: .second(9))
              }
            }
          ),
        ]
        try await users.join(users.bob)
        _ = try await LocalToDoService(store: users.items, owner: OwnerID(first))
          .addItem(NewItem(id: ItemID(), content: ItemContent(title: "Report")))
        for (number, (endsAccess, step)) in steps.enumerated() {
          let version = try await users.accounts.accountVersion()
          try await step()
          let current = try await users.accounts.accountVersion()
          #expect((current > version) == endsAccess, "step \(number)")
          if endsAccess { #expect(try await users.accessVersion() == current, "step \(number)") }
        }
      },
      Rule("an invitation that ends or shrinks ends no access") { stores async throws in
        let users = try await Users(stores)
        try await users.join(users.cat)
        try await users.share(with: users.bob)
        let version = try await users.accounts.accountVersion()
        try await users.share(with: users.bob, as: .viewer)
        try await users.unshare(with: users.bob)
        try await users.share(with: users.bob)
        _ = try await users.lists.changeLists(of: users.ann.list) {
          try $0.leave(first, by: users.bob.list, at: .second(7))
        }
        #expect(try await users.accounts.accountVersion() == version)
      },
      Rule("a user is a member of a limited number of lists, deleted ones included") { stores async throws in
        let users = try await Users(stores)
        let others = (0..<UserList.Limits.sharedLists).map { ListID(high: 2, low: UInt64($0)) }
        _ = try await users.lists.changeLists(of: users.cat.list) { records in
          for id in others {
            _ = try records.create(NewList(id: id, name: "List \(id)"), at: .second(1), limit: others.count)
            _ = try records.share(id, with: users.bob, as: .viewer, by: users.cat.name, at: .second(2))
            _ = try records.accept(id, by: users.bob.list, at: .second(3))
          }
        }
        let reason = "already has the maximum of 100 lists from others, deleted ones included"
        let refusal = ToDoError.invalidRequest([FieldViolation("user", reason)])
        await #expect(throws: refusal) { try await users.share(with: users.bob) }
        _ = try await users.lists.changeLists(of: users.cat.list) { records in
          try records.delete(others[0], at: .second(4), restorableUntil: .second(9))
        }
        await #expect(throws: refusal) { try await users.share(with: users.bob) }
        #expect(try await users.lists.listRecords(of: users.bob.list).shared.count == others.count)
        _ = try await users.lists.changeLists(of: users.cat.list) { records in
          try records.leave(others[0], by: users.bob.list, at: .second(6))
        }
        try await users.share(with: users.bob)
      },
      Rule("a user has a limited number of invitations by the same user") { stores async throws in
        let users = try await Users(stores)
        let ids = (1...UserList.Limits.invitations).map { ListID(high: 2, low: UInt64($0)) }
        _ = try await users.lists.changeLists(of: users.ann.list) { records in
          for id in ids {
            _ = try records.create(NewList(id: id, name: "List \(id)"), at: .second(1), limit: 100)
            _ = try records.share(id, with: users.bob, as: .viewer, by: users.ann.name, at: .second(2))
          }
        }
        let violation = FieldViolation("user", "has 10 invitations of yours to answer already")
        await #expect(throws: ToDoError.invalidRequest([violation])) { try await users.share(with: users.bob) }
        try await users.share(with: users.cat)
        _ = try await users.lists.changeLists(of: users.ann.list) {
          try $0.accept(ids[1], by: users.bob.list, at: .second(4))
        }
        try await users.share(with: users.bob)
      },
      Rule("the deletion of a list withdraws its invitations") { stores async throws in
        let users = try await Users(stores)
        try await users.join(users.cat)
        try await users.share(with: users.bob)
        _ = try await users.lists.changeLists(of: users.ann.list) { records in
          try records.delete(first, at: .second(8), restorableUntil: .second(9))
        }
        _ = try await users.lists.changeLists(of: users.ann.list) { try $0.undelete(first, at: .second(8)) }
        #expect(try await users.shared(with: users.bob) == nil)
        #expect(try await users.shared(with: users.cat)?.record.members.map(\.user) == ["cat"])
      },
      Rule("a revoked token of a member ends the access to shared lists") { stores async throws in
        let users = try await Users(stores)
        try await users.share(with: users.bob)
        _ = try await LocalToDoService(store: users.items, owner: OwnerID(first))
          .addItem(NewItem(id: ItemID(), content: ItemContent(title: "Report")))
        try await users.accounts.addToken(.sample(1, "bob"))
        try await users.accounts.revokeToken(AccessTokenID(number: 1))
        #expect(try await users.accessVersion() == users.accounts.accountVersion())
      },
      Rule("members see a deleted list, which is not available") { stores async throws in
        let users = try await Users(stores)
        try await users.join(users.bob)
        _ = try await users.lists.changeLists(of: users.ann.list) { records in
          try records.delete(first, at: .second(8), restorableUntil: .second(9))
        }
        #expect(try await users.shared(with: users.bob)?.record.list.isDeleted == true)
        #expect(try await !users.lists.listRecords(of: users.bob.list).isAvailable(first))
        _ = try await users.lists.changeLists(of: users.ann.list) { try $0.undelete(first, at: .second(8)) }
        #expect(try await users.lists.listRecords(of: users.bob.list).isAvailable(first))
        try await users.lists.changeLists(of: users.ann.list) { $0.removeAll() }
        #expect(try await users.shared(with: users.bob) == nil)
        // A later list with the same ID has no members.
        _ = try await users.lists.create(first, "Work", for: users.cat.list)
        #expect(try await users.lists.listRecords(of: users.cat.list)[first]?.members == [])
      },
      Rule("a member leaves a deleted list, which is then restored without the member") { stores async throws in
        let users = try await Users(stores)
        try await users.join(users.bob)
        _ = try await users.lists.changeLists(of: users.ann.list) { records in
          try records.delete(first, at: .second(8), restorableUntil: .second(9))
        }
        _ = try await users.lists.changeLists(of: users.ann.list) {
          try $0.leave(first, by: users.bob.list, at: .second(8))
        }
        #expect(try await users.shared(with: users.bob) == nil)
        _ = try await users.lists.changeLists(of: users.ann.list) { try $0.undelete(first, at: .second(8)) }
        #expect(try await users.shared(with: users.bob) == nil)
      },
      Rule("a removed user is no member, and the user's lists remain for members") { stores async throws in
        let users = try await Users(stores)
        try await users.share(with: users.bob)
        try await users.join(users.cat)
        let version = try await users.lists.listRecords(of: users.cat.list).version
        _ = try await users.accounts.removeUser(users.bob.name)
        #expect(try await users.shared(with: users.bob) == nil)
        #expect(try await users.lists.listRecords(of: users.cat.list).version == version + 1)
        #expect(try await users.shared(with: users.cat)?.record.members.map(\.user) == ["cat"])
        _ = try await users.accounts.removeUser(users.ann.name)
        #expect(try await users.shared(with: users.cat)?.record.ownerUser == "ann")
      },
      Rule("the lists that a removed user shared are found by the user's name") { stores async throws in
        let users = try await Users(stores)
        #expect(try await users.lists.owners(sharingAs: "ann") == [])
        try await users.join(users.cat)
        _ = try await users.accounts.removeUser(users.ann.name)
        #expect(try await users.lists.owners(sharingAs: "ann") == [users.ann.list])
        #expect(try await users.lists.owners(sharingAs: "cat") == [])
        try await users.lists.changeLists(of: users.ann.list) { $0.removeAll() }
        #expect(try await users.lists.owners(sharingAs: "ann") == [])
      },
      Rule("the invitations by a removed user are withdrawn") { stores async throws in
        let users = try await Users(stores)
        try await users.share(with: users.bob)
        try await users.join(users.cat)
        let version = try await users.lists.listRecords(of: users.bob.list).version
        _ = try await users.accounts.removeUser(users.ann.name)
        #expect(try await users.shared(with: users.bob) == nil)
        #expect(try await users.lists.listRecords(of: users.bob.list).version > version)
        #expect(try await users.shared(with: users.cat)?.record.members.map(\.user) == ["cat"])
      },
    ]
  }
}
