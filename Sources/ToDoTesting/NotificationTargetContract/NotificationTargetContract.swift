import Testing
import ToDoModel
public import ToDoRules

/// The contract of `NotificationTargetStore`, one rule a sentence. Each rule needs a new, empty store of accounts.
public enum NotificationTargetContract {
  /// A store of users and their targets.
  public typealias Store = any AccountStore & NotificationTargetStore

  /// All rules of the contract.
  public static var rules: [ContractRule<Store>] {
    [
      Rule("a target is read back as it was added, the earliest ID first") { store async throws in
        let targets: [NotificationTarget] = [
          .sample(1), .sample(2, .webhook, secret: "whsec_é"), .sample(3, .email, secret: "unconfirmed:A:1"),
          .sample(.max, secret: "tk_1"),
        ]
        try await store.addUser(ann)
        for target in targets.reversed() { try await store.addNotificationTarget(target, of: ann.list) }
        #expect(try await store.notificationTargets(of: ann.list) == targets)
        #expect(try await store.notificationTargets(of: bob.list) == [])
      },
      Rule("the targets of all users are read with the account version") { store async throws in
        #expect(try await store.allNotificationTargets() == NotificationTargets(version: 0))
        for user in [ann, bob, .sample("eve")] { try await store.addUser(user) }
        for number in [2, 1] as [UInt64] { try await store.addNotificationTarget(.sample(number), of: ann.list) }
        // IDs and URLs are a user's own.
        try await store.addNotificationTarget(.sample(1), of: bob.list)
        let expected = NotificationTargets(
          version: try await store.accountVersion(),
          users: [ann.list: [.sample(1), .sample(2)], bob.list: [.sample(1)]])
        #expect(try await store.allNotificationTargets() == expected)
      },
      Rule("every change changes the account version, and a refused one does not") { store async throws in
        try await store.addUser(ann)
        var versions = [try await store.accountVersion()]
        try await store.addNotificationTarget(.sample(1), of: ann.list)
        versions.append(try await store.accountVersion())
        #expect(try await store.removeNotificationTarget(.sample(1), of: ann.list) == .sample(1))
        versions.append(try await store.accountVersion())
        #expect(Set(versions).count == 3)
        await #expect(throws: ToDoError.notificationTargetNotFound(.sample(1))) {
          try await store.removeNotificationTarget(.sample(1), of: ann.list)
        }
        #expect(try await store.accountVersion() == versions.last)
      },
      Rule("a user has at most 8 targets") { store async throws in
        for user in [ann, bob] { try await store.addUser(user) }
        for number in 1...8 as ClosedRange<UInt64> {
          try await store.addNotificationTarget(.sample(number), of: ann.list)
        }
        await #expect(throws: ToDoError.tooManyNotificationTargets(limit: 8)) {
          try await store.addNotificationTarget(.sample(9), of: ann.list)
        }
        #expect(try await store.notificationTargets(of: ann.list).count == 8)
        try await store.addNotificationTarget(.sample(9), of: bob.list)
        _ = try await store.removeNotificationTarget(.sample(3), of: ann.list)
        try await store.addNotificationTarget(.sample(9), of: ann.list)
      },
      Rule("targets that are added together do not exceed the maximum") { store async throws in
        try await store.addUser(ann)
        let added = try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 1...16 as ClosedRange<UInt64> {
            group.addTask {
              do {
                try await store.addNotificationTarget(.sample(number), of: ann.list)
                return 1
              } catch ToDoError.tooManyNotificationTargets {
                return 0
              }
            }
          }
          return try await group.reduce(0, +)
        }
        #expect(added == 8)
        #expect(try await store.notificationTargets(of: ann.list).count == 8)
      },
      Rule("an ID, or a URL of a kind, is added once") { store async throws in
        try await store.addUser(ann)
        try await store.addNotificationTarget(.sample(1), of: ann.list)
        var sameURL = NotificationTarget.sample(2)
        sameURL.url = NotificationTarget.sample(1).url
        var sameID = NotificationTarget.sample(1)
        sameID.url += "-other"
        for target in [sameURL, sameID] {
          let expected = ToDoError.invalidRequest([FieldViolation("target.url", "is the URL of an existing target")])
          await #expect(throws: expected) { try await store.addNotificationTarget(target, of: ann.list) }
        }
        sameURL.kind = .webhook
        try await store.addNotificationTarget(sameURL, of: ann.list)
        #expect(try await store.notificationTargets(of: ann.list) == [.sample(1), sameURL])
      },
      Rule("a target belongs to an existing user") { store async throws in
        await #expect(throws: ToDoError.unauthenticated) {
          try await store.addNotificationTarget(.sample(1), of: ann.list)
        }
        #expect(try await store.allNotificationTargets() == NotificationTargets(version: 0))
      },
      Rule("removing a user removes the targets of that user only") { store async throws in
        for user in [ann, bob] {
          try await store.addUser(user)
          try await store.addNotificationTarget(.sample(1), of: user.list)
        }
        _ = try await store.removeUser(ann.name)
        #expect(try await store.allNotificationTargets().users == [bob.list: [.sample(1)]])
        try await store.addUser(ann)
        #expect(try await store.notificationTargets(of: ann.list) == [])
      },
      Rule("removing a user keeps the targets of another one with the same list") { store async throws in
        try await store.addUser(ann)
        try await store.addUser(User(name: bob.name, list: ann.list, createdAt: bob.createdAt))
        try await store.addNotificationTarget(.sample(1), of: ann.list)
        _ = try await store.removeUser(bob.name)
        #expect(try await store.notificationTargets(of: ann.list) == [.sample(1)])
      },
      Rule("a change that its check refuses at the account version before it is not made") { store async throws in
        try await store.addUser(ann)
        try await store.addNotificationTarget(.sample(1), of: ann.list)
        let version = try await store.accountVersion()
        let check: @Sendable (Int64) throws -> Void = { if $0 == version { throw ToDoError.readOnly } }
        await #expect(throws: ToDoError.readOnly) {
          try await store.addNotificationTarget(.sample(2), of: ann.list, checking: check)
        }
        await #expect(throws: ToDoError.readOnly) {
          _ = try await store.removeNotificationTarget(.sample(1), of: ann.list, checking: check)
        }
        #expect(try await store.notificationTargets(of: ann.list) == [.sample(1)])
        #expect(try await store.accountVersion() == version)
      },
      Rule("a secret is removed once, from the target that has it") { store async throws in
        for user in [ann, bob] { try await store.addUser(user) }
        let former = NotificationTarget.sample(1, .email, secret: "a")
        for target in [former, .sample(2, secret: "a")] { try await store.addNotificationTarget(target, of: ann.list) }
        let version = try await store.accountVersion()
        for (secret, id, user) in [("b", 1, ann), ("a", 3, ann), ("a", 1, bob)] as [(String, UInt64, User)] {
          await #expect(throws: ToDoError.notificationTargetNotFound(.sample(id))) {
            try await store.removeSecret(secret, ofNotificationTarget: .sample(id), of: user.list) { _ in }
          }
        }
        await #expect(throws: ToDoError.readOnly) {
          try await store.removeSecret("a", ofNotificationTarget: .sample(1), of: ann.list) {
            if $0 == version { throw ToDoError.readOnly }
          }
        }
        #expect(try await store.accountVersion() == version)
        try await store.removeSecret("a", ofNotificationTarget: .sample(1), of: ann.list) { _ in }
        #expect(try await store.accountVersion() != version)
        #expect(
          try await store.notificationTargets(of: ann.list) == [.sample(1, .email), .sample(2, secret: "a")])
        await #expect(throws: ToDoError.notificationTargetNotFound(.sample(1))) {
          try await store.removeSecret("a", ofNotificationTarget: .sample(1), of: ann.list) { _ in }
        }
      },
      Rule("a target of another user cannot be removed") { store async throws in
        for user in [ann, bob] { try await store.addUser(user) }
        try await store.addNotificationTarget(.sample(1), of: ann.list)
        await #expect(throws: ToDoError.notificationTargetNotFound(.sample(1))) {
          try await store.removeNotificationTarget(.sample(1), of: bob.list)
        }
        #expect(try await store.notificationTargets(of: ann.list) == [.sample(1)])
      },
    ]
  }

  typealias Rule = ContractRule<Store>

  private static let (ann, bob) = (User.sample("ann"), User.sample("bob"))
}

extension NotificationTargetID {
  package static func sample(_ number: UInt64) -> NotificationTargetID { NotificationTargetID(high: 1, low: number) }
}

extension NotificationTarget {
  package static func sample(_ number: UInt64, _ kind: Kind = .ntfy, secret: String? = nil) -> NotificationTarget {
    NotificationTarget(id: .sample(number), kind: kind, url: "https://ntfy.example/topic-\(number)", secret: secret)
  }
}
