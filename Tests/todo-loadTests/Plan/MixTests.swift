import Testing

@testable import todo_load

@Suite struct MixTests {
  @Test func choose_followsWeights() throws {
    let mix = try Mix("get=80,list=5,add=10,check=5")
    var random = RandomSource(seed: 1)
    var counts: [Operation: Int] = [:]
    for _ in 0..<100_000 { counts[mix.choose(random.next()), default: 0] += 1 }
    #expect((79_000...81_000).contains(counts[.get] ?? 0))
    #expect((4_600...5_400).contains(counts[.list] ?? 0))
    #expect((9_500...10_500).contains(counts[.add] ?? 0))
    #expect((4_600...5_400).contains(counts[.check] ?? 0))
  }

  @Test func choose_whenSeedIsTheSame_repeatsChoices() throws {
    let mix = try Mix("get=1,add=1")
    var (first, second) = (RandomSource(seed: 7), RandomSource(seed: 7))
    for _ in 0..<100 { #expect(mix.choose(first.next()) == mix.choose(second.next())) }
  }

  @Test func choose_whenWeightIsZero_skipsOperation() throws {
    let mix = try Mix("get=0,list=1,add=0")
    #expect(mix.choose(0) == .list)
    #expect(mix.choose(.max) == .list)
    #expect("\(mix)" == "list=1")
  }

  @Test(arguments: [
    ("", "'' is not a valid part of '--mix'; write an operation and its weight, as in get=80"),
    ("get", "'get' is not a valid part of '--mix'; write an operation and its weight, as in get=80"),
    ("get=-1", "'get=-1' is not a valid part of '--mix'; write an operation and its weight, as in get=80"),
    ("get=80,", "'' is not a valid part of '--mix'; write an operation and its weight, as in get=80"),
    ("drop=1", "unknown operation 'drop'; valid operations are get, list, add, check, recur, move"),
    ("get=1,get=2", "the operation 'get' occurs twice in '--mix'; combine its weights"),
    ("get=0", "all weights of '--mix' are 0; give an operation a positive weight"),
  ])
  func init_whenTextIsInvalid_reportsReason(text: String, reason: String) {
    #expect(throws: UsageError(reason)) { try Mix(text) }
  }
}
