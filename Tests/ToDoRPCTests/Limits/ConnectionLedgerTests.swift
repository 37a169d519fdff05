import Testing

@testable import ToDoProtobuf
@testable import ToDoRPC

/// The decisions about connections and their buffers, without any connection.
@Suite struct ConnectionLedgerTests {
  private static let (ann, bob) = (ConnectionOrigin.network(.v4(1)), ConnectionOrigin.network(.v4(2)))

  private func ledger(
    requiresCredentials: Bool = false, _ change: (inout ConnectionLedger.Limits) -> Void = { _ in }
  ) -> ConnectionLedger {
    var limits = ConnectionLedger.Limits(ServerLimits())
    (limits.connections, limits.connectionsPerAddress, limits.connectionsPerUnixUser) = (10, 4, 2)
    (limits.bytes, limits.bytesPerUser, limits.bytesPerAddress) = (1 << 20, 512 << 10, 768 << 10)
    limits.exemptUnixUsers = [0]
    change(&limits)
    return ConnectionLedger(limits, requiresCredentials: requiresCredentials)
  }

  private func open(_ ledger: inout ConnectionLedger, from origin: ConnectionOrigin? = ann) throws -> Int {
    guard case .accepted(let id, nil) = ledger.open(from: origin) else { throw Refused() }
    return id
  }

  private struct Refused: Error {}

  // MARK: Number

  @Test func open_whenAddressIsAtItsLimit_rejectsOnlyThatAddress() throws {
    var ledger = ledger()
    let ids = try (0..<4).map { _ in try open(&ledger) }
    #expect(ledger.open(from: Self.ann) == .refused)
    _ = try open(&ledger, from: Self.bob)
    ledger.close(ids[0])
    _ = try open(&ledger)
  }

  @Test func open_whenServerIsAtItsLimit_rejects() throws {
    var ledger = ledger { $0.connections = 2 }
    _ = try open(&ledger)
    let second = try open(&ledger, from: Self.bob)
    #expect(ledger.open(from: nil) == .refused)
    ledger.close(second)
    _ = try open(&ledger, from: nil)
  }

  @Test func open_whenCredentialsAreRequired_evictsOldestUnauthenticated() throws {
    var ledger = ledger(requiresCredentials: true) { $0.connections = 3 }
    let ids = try [Self.ann, Self.bob, Self.ann].map { try open(&ledger, from: $0) }
    #expect(ledger.authenticate(ids[0], as: nil) == [])
    #expect(ledger.open(from: Self.ann) == .accepted(4, evicting: ids[1]))
    #expect(ledger.open(from: Self.ann) == .accepted(5, evicting: ids[2]))
    for id in [4, 5] { #expect(ledger.authenticate(id, as: "ann") == []) }
    #expect(ledger.open(from: Self.bob) == .refused)
  }

  @Test func open_whenAddressIsAtItsLimit_evictsUnauthenticatedOfThatAddress() throws {
    var ledger = ledger(requiresCredentials: true)
    _ = try open(&ledger, from: Self.bob)
    let ids = try (0..<4).map { _ in try open(&ledger) }
    #expect(ledger.open(from: Self.ann) == .accepted(6, evicting: ids[0]))
    for id in ids.dropFirst() + [6] { _ = ledger.authenticate(id, as: nil) }
    #expect(ledger.open(from: Self.ann) == .refused)
  }

  @Test func requireCredentials_returnsUnauthenticatedConnectionsOnce() throws {
    var ledger = ledger()
    let ids = try (0..<3).map { _ in try open(&ledger) }
    _ = ledger.authenticate(ids[1], as: "ann")
    #expect(Set(ledger.requireCredentials()) == [ids[0], ids[2]])
    #expect(ledger.requireCredentials() == [])
    #expect(ledger.requiresCredentials)
  }

  @Test func deauthenticate_makesConnectionFirstToBeEvicted() throws {
    var ledger = ledger(requiresCredentials: true) { $0.connections = 3 }
    let ids = try [Self.ann, Self.bob, Self.bob].map { try open(&ledger, from: $0) }
    for id in ids.dropFirst() { #expect(ledger.authenticate(id, as: "bob") == []) }
    ledger.deauthenticate(ids[2])
    ledger.deauthenticate(ids[2])
    #expect(ledger.open(from: Self.bob) == .accepted(4, evicting: ids[2]))
    #expect(ledger.authenticate(4, as: "bob") == [])
    #expect(ledger.open(from: Self.bob) == .accepted(5, evicting: ids[0]))
    #expect(ledger.authenticate(5, as: "bob") == [])
    #expect(ledger.open(from: Self.bob) == .refused)
    for id in [ids[1], 4, 5] { ledger.close(id) }
    #expect(ledger.connections.isEmpty && ledger.bytesOfUsers.isEmpty)
  }

  @Test func deauthenticate_releasesBytesOfUser_andAcceptsNextUser() throws {
    var ledger = ledger()
    let id = try open(&ledger)
    #expect(ledger.authenticate(id, as: "ann") == [])
    #expect(ledger.charge(300 << 10, to: id) == [])
    ledger.deauthenticate(id)
    #expect(ledger.bytesOfUsers.isEmpty)
    #expect(ledger.totalBytes == 300 << 10)
    #expect(ledger.authenticate(id, as: "bob") == [])
    #expect(ledger.bytesOfUsers == ["bob": 300 << 10])
  }

  @Test(arguments: [(7, false), (0, true)] as [(UInt32, Bool)])
  func setOrigin_whenUnixUserIsAtItsLimit_closesUnlessExempt(_ user: UInt32, _ isKept: Bool) throws {
    var ledger = ledger()
    for _ in 0..<2 {
      let id = try open(&ledger, from: nil)
      #expect(ledger.setOrigin(.unixUser(user), of: id) == .accepted(id, evicting: nil))
    }
    let id = try open(&ledger, from: nil)
    #expect(ledger.setOrigin(.unixUser(user), of: id) == (isKept ? .accepted(id, evicting: nil) : .refused))
    #expect((ledger.connections[id] != nil) == isKept)
  }

  @Test func setOrigin_whenCredentialsAreRequired_evictsOldestUnauthenticatedOfThatOrigin() throws {
    var ledger = ledger(requiresCredentials: true)
    _ = try open(&ledger, from: Self.bob)
    var ids = try (0..<3).map { _ in try open(&ledger, from: nil) }
    for id in ids.dropLast() { #expect(ledger.setOrigin(.unixUser(7), of: id) == .accepted(id, evicting: nil)) }
    #expect(ledger.setOrigin(.unixUser(7), of: ids[2]) == .accepted(ids[2], evicting: ids[0]))
    #expect(ledger.connections[ids[0]] == nil)
    for id in ids.dropFirst() { #expect(ledger.authenticate(id, as: nil) == []) }
    ids.append(try open(&ledger, from: nil))
    #expect(ledger.setOrigin(.unixUser(7), of: ids[3]) == .refused)
    #expect(ledger.connections.count == 3)
  }

  // MARK: Bytes

  @Test func charge_whenTotalIsExceeded_evictsLargestConnectionOfLargestHolder() throws {
    var ledger = ledger { $0.bytesPerUser = 1 << 20 }
    let (greedy, alsoGreedy) = (try open(&ledger), try open(&ledger, from: Self.bob))
    for id in [greedy, alsoGreedy] { #expect(ledger.authenticate(id, as: "greedy") == []) }
    let modest = try open(&ledger, from: Self.bob)
    #expect(ledger.charge(300 << 10, to: greedy) == [])
    #expect(ledger.charge(200 << 10, to: alsoGreedy) == [])
    #expect(ledger.charge(350 << 10, to: modest) == [])
    // The new connection has the most bytes of the address, but another holder has more in total.
    #expect(ledger.charge(100 << 10, to: modest) == [greedy])
    #expect(ledger.totalBytes == 650 << 10)
  }

  @Test func charge_whenOnlyReserveIsLeft_sparesSmallConnections() throws {
    var ledger = ledger { $0.bytesPerAddress = 1 << 30 }
    let ids = try (0..<10).map { try open(&ledger, from: .network(.v4($0))) }
    // 64 KiB may use the reserve.
    for id in ids.dropLast() { #expect(ledger.charge(64 << 10, to: id) == []) }
    // 896 KiB is the total without the reserve.
    #expect(ledger.charge(320 << 10, to: ids[9]) == [])
    #expect(ledger.charge(64 << 10, to: ids[9]) == [ids[9]])
    #expect(ledger.totalBytes == 9 * 64 << 10)
  }

  @Test func charge_whenUserExceedsBudget_evictsLargestConnectionOfUser() throws {
    var ledger = ledger()
    let ids = try [Self.ann, Self.bob, Self.ann].map { try open(&ledger, from: $0) }
    for id in ids.dropFirst() { _ = ledger.authenticate(id, as: "ann") }
    #expect(ledger.charge(400 << 10, to: ids[0]) == [])
    #expect(ledger.charge(260 << 10, to: ids[1]) == [])
    #expect(ledger.charge(200 << 10, to: ids[2]) == [])
    #expect(ledger.charge(60 << 10, to: ids[2]) == [ids[1]])
    #expect(ledger.bytesOfUsers == ["ann": 260 << 10])
  }

  @Test func authenticate_whenUserExceedsBudget_evicts_andKeepsFirstUser() throws {
    var ledger = ledger()
    let ids = try (0..<2).map { _ in try open(&ledger) }
    #expect(ledger.charge(300 << 10, to: ids[0]) == [])
    #expect(ledger.charge(250 << 10, to: ids[1]) == [])
    #expect(ledger.authenticate(ids[0], as: "ann") == [])
    #expect(ledger.authenticate(ids[0], as: "bob") == [])
    #expect(ledger.authenticate(ids[1], as: "ann") == [ids[0]])
    #expect(ledger.bytesOfUsers == ["ann": 250 << 10])
  }

  @Test func charge_whenAddressExceedsBudget_evictsItsLargestHolder() throws {
    var ledger = ledger()
    let ids = try (0..<3).map { _ in try open(&ledger) }
    _ = ledger.authenticate(ids[0], as: "ann")
    #expect(ledger.charge(350 << 10, to: ids[0]) == [])
    #expect(ledger.charge(210 << 10, to: ids[1]) == [])
    #expect(ledger.charge(200 << 10, to: ids[2]) == [])
    #expect(ledger.charge(20 << 10, to: ids[0]) == [ids[1]])
  }

  @Test func events_whenConnectionIsEvicted_haveNoEffect() throws {
    var ledger = ledger()
    let id = try open(&ledger)
    #expect(ledger.charge(2 << 20, to: id) == [id])
    #expect(ledger.charge(2 << 20, to: id) == [])
    #expect(ledger.authenticate(id, as: "ann") == [])
    #expect(ledger.setOrigin(Self.bob, of: id) == .accepted(id, evicting: nil))
    ledger.close(id)
    #expect(ledger.totalBytes == 0)
    #expect(ledger.bytesOfUsers.isEmpty && ledger.connections.isEmpty)
  }

  @Test func queue_whenMembersLeave_doesNotGrow() {
    var queue = EvictionOrder()
    for id in 0..<10_000 { queue.append(id, memberCount: 1) { $0 == id || $0 == 5 } }
    #expect(queue.entryCount <= 18)
    #expect(queue.oldest { $0 == 5 } == 5)
  }
}
