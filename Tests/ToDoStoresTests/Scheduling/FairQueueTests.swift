import Testing

@testable import ToDoStores

@Suite struct FairQueueTests {
  private typealias Queue = FairQueue<Character, Int>

  /// Runs the waiting entries, one at a time, and returns the owners in the order in which they were served.
  ///
  /// - Parameters:
  ///   - waiting: the owners of the entries, in the order in which they come.
  ///   - costs: the cost of each entry of an owner.
  private static func order(of waiting: String, costs: [Character: Int64], quantum: Int64 = 10) -> String {
    var queue = Queue(limits: FairQueue.Limits(perOwner: 100, total: 1000), quantum: quantum)
    for (number, owner) in waiting.enumerated() { queue.add(number, ticket: UInt64(number), of: owner) }
    var order = ""
    while let (owner, _) = queue.next() {
      order.append(owner)
      queue.finish(owner, cost: costs[owner] ?? 1)
    }
    return order
  }

  @Test(
    arguments: [
      // One owner alone: in the order in which they came.
      ("aaaa", [:], "aaaa"),
      // Owners with equal costs take turns.
      ("aaaabb", [:], "ababaa"),
      ("aaabbbccc", [:], "abcabcabc"),
      // An owner that comes last waits for one entry of each other owner.
      ("aaaaaaaab", [:], "abaaaaaaa"),
      ("aaaaaaaab", ["a": 1000], "abaaaaaaa"),
      // An owner that uses up its quantum waits for the end of the round.
      ("aaabbbbb", ["a": 10], "abbbbbaa"),
      ("aaabbbbb", ["a": 10, "b": 5], "abbabbab"),
      // A debt takes several rounds to pay.
      ("aabbbbbb", ["a": 35, "b": 10], "abbbabbb"),
      // Costs below the resolution of the clock also end a round.
      ("aaabbb", ["a": 0, "b": 0], "ababab"),
    ] as [(String, [Character: Int64], String)])
  func next_servesOwnersInTurn_byTheTimeThatTheyUse(
    _ waiting: String, _ costs: [Character: Int64], _ order: String
  ) {
    #expect(Self.order(of: waiting, costs: costs) == order)
  }

  @Test func next_whenDebtExceedsMaximumRounds_returnsNil() {
    var queue = Queue(limits: FairQueue.Limits(perOwner: 100, total: 1000), quantum: 10)
    for number in 0..<2 { queue.add(number, ticket: 0, of: "a") }
    queue.add(2, ticket: 0, of: "b")
    #expect(queue.next()?.owner == "a")
    queue.finish("a", cost: 35)
    #expect(queue.next(maximumRounds: 1)?.owner == "b")
    queue.finish("b", cost: 1)
    #expect(queue.next(maximumRounds: 1) == nil)
    #expect(queue.next(maximumRounds: 3)?.owner == "a")
  }

  @Test func next_whenOwnersAreAlwaysBusy_givesEachTheSameTime() {
    let costs: [Character: Int64] = ["a": 1, "b": 30, "c": 7]
    var queue = Queue(limits: FairQueue.Limits(perOwner: 100, total: 1000), quantum: 10)
    for owner in costs.keys { for number in 0..<2 { queue.add(number, ticket: 0, of: owner) } }
    var used: [Character: Int64] = [:]
    for _ in 0..<10_000 {
      guard let (owner, _) = queue.next() else { break }
      queue.finish(owner, cost: costs[owner] ?? 0)
      used[owner, default: 0] += costs[owner] ?? 0
      queue.add(0, ticket: 0, of: owner)
    }
    for owner in costs.keys { #expect(abs((used[owner] ?? 0) - (used["a"] ?? 0)) <= 40) }
  }

  @Test func rejection_whenQueueIsFull_distinguishesOwnerAndTotal() {
    var queue = Queue(limits: FairQueue.Limits(perOwner: 2, total: 3), quantum: 10)
    for number in 0..<2 { queue.add(number, ticket: 0, of: "a") }
    #expect(queue.rejection(of: "a") == .ownerFull)
    #expect(queue.rejection(of: "b") == nil)
    queue.add(0, ticket: 0, of: "b")
    #expect(queue.rejection(of: "b") == .full)
    #expect(queue.rejection(of: "c") == .full)
  }

  @Test func rejection_whenTotalIsReached_sparesOwnersBelowTheGuarantee() {
    var queue = Queue(limits: FairQueue.Limits(perOwner: 4, total: 8, guaranteed: 2), quantum: 10)
    for owner in "ab" { for number in 0..<4 { queue.add(number, ticket: 0, of: owner) } }
    #expect(queue.rejection(of: "a") == .full)
    for number in 0..<2 {
      #expect(queue.rejection(of: "c") == nil)
      queue.add(number, ticket: 0, of: "c")
    }
    #expect(queue.rejection(of: "c") == .full)
    #expect(queue.rejection(of: "d") == nil)
    #expect(queue.next()?.owner == "a")
    #expect(queue.next()?.owner == "b")
    #expect(queue.next()?.owner == "c")
    // One of its two entries is left.
    #expect(queue.rejection(of: "c") == nil)
  }

  @Test func next_whenOwnerRunsItsMaximum_servesAnother() {
    var queue = Queue(limits: FairQueue.Limits(perOwner: 9, total: 9, running: 1), quantum: 10)
    for (number, owner) in ["a", "a", "b"].enumerated() { queue.add(number, ticket: 0, of: Character(owner)) }
    #expect(queue.next()?.entry == 0)
    #expect(!queue.canRun("a"))
    #expect(queue.next()?.entry == 2)
    #expect(queue.next() == nil)
    queue.finish("a", cost: 1000)
    #expect(queue.next()?.entry == 1)
  }

  @Test func remove_whenEntryWaits_returnsItOnce() {
    var queue = Queue(limits: FairQueue.Limits(perOwner: 9, total: 9), quantum: 10)
    for number in 1...3 { queue.add(number, ticket: UInt64(number), of: number == 3 ? "b" : "a") }
    #expect(queue.remove(ticket: 3, of: "b") == 3)
    #expect(queue.remove(ticket: 3, of: "b") == nil)
    #expect(queue.remove(ticket: 1, of: "b") == nil)
    #expect(queue.remove(ticket: 1, of: "a") == 1)
    #expect(queue.count == 1)
    #expect(queue.next()?.entry == 2)
    #expect(queue.next() == nil)
  }

  @Test func add_whenOwnersBecomeIdle_removesTheirAccounts() {
    var queue = FairQueue<Int, Int>(limits: FairQueue.Limits(perOwner: 9, total: 9), quantum: 10)
    // Something always waits, so that the queue is never idle.
    queue.add(0, ticket: 0, of: -1)
    for owner in 0..<10_000 {
      queue.add(0, ticket: 0, of: owner)
      guard let next = queue.next() else { continue }
      queue.finish(next.owner, cost: 1)
    }
    #expect(queue.accountCount < 100)
  }
}
