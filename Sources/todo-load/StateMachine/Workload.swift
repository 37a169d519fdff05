import ToDoModel

/// The items that are added before a run: first those that get and check use, then those that repeat, then those that move.
struct RunSeeds: Equatable, Sendable {
  let plain, repeating, moving: Int

  /// Each kind has as many items as `--items` says. Kinds other than the first are added only if the mix needs them.
  init(_ plan: LoadPlan) {
    plain = plan.items
    repeating = plan.mix.contains { $0 == .recur } ? plan.items : 0
    moving = plan.mix.contains { $0 == .move } ? plan.items : 0
  }

  init(plain: Int, repeating: Int = 0, moving: Int = 0) {
    (self.plain, self.repeating, self.moving) = (plain, repeating, moving)
  }

  var count: Int { plain + repeating + moving }

  /// The indices of the items that repeat.
  var repeatingItems: Range<Int> { plain..<plain + repeating }
  /// The indices of the items that move.
  var movingItems: Range<Int> { plain + repeating..<count }

  /// Returns an item's content.
  func content(_ index: Int, titled title: String) -> ItemContent {
    var content = Workload.content(title)
    if repeatingItems.contains(index) { content.repetition = Repetition(.calendar(RecurrenceRule(.daily))) }
    return content
  }
}

/// Chooses the operations and items of requests, and tracks the items that the run adds.
struct Workload {
  /// The IDs of the items that were added before the run, followed by those of items that the run adds.
  private(set) var ids: [ItemID]
  private let seeds: RunSeeds
  private var isChecked: [Bool]
  /// The items that no request is moving.
  private var resting: [Int]
  /// The items that are in the other list, as far as is known.
  private var moved: Set<Int> = []
  private var random: RandomSource
  private let mix: Mix
  private let name: String

  /// - Parameters:
  ///   - ids: The IDs of the items that were added before the run.
  ///   - seeds: The kinds of these items; `nil` if they are all plain.
  ///   - name: The prefix of item titles, which distinguishes the items of this run from other items.
  ///   - seed: The seed of the random choices.
  init(_ mix: Mix, ids: [ItemID], _ seeds: RunSeeds? = nil, name: String, seed: UInt64) {
    self.mix = mix
    self.ids = ids
    self.name = name
    let seeds = seeds ?? RunSeeds(plain: ids.count)
    self.seeds = seeds
    resting = Array(seeds.movingItems)
    isChecked = Array(repeating: false, count: ids.count)
    random = RandomSource(seed: seed)
  }

  /// Chooses the operation and the item of the next request.
  ///
  /// - Parameter time: Returns the time for the ID of a new item.
  mutating func next(at time: () -> Timestamp) -> (operation: Operation, item: Int) {
    let operation = mix.choose(random.next())
    switch operation {
    case .list: return (operation, 0)
    case .get, .check: return (operation, random.index(below: seeds.plain))
    case .recur: return (operation, seeds.repeatingItems.lowerBound + random.index(below: seeds.repeating))
    case .move: return (operation, takeResting())
    case .add:
      ids.append(ItemID(time: time(), using: &random))
      return (operation, ids.count - 1)
    }
  }

  /// Returns an item that no request is moving: two concurrent moves of one item would fail. There is one, because the run has
  /// more items than requests in flight.
  private mutating func takeResting() -> Int {
    guard !resting.isEmpty else { return seeds.movingItems.lowerBound }
    resting.swapAt(random.index(below: resting.count), resting.count - 1)
    return resting.removeLast()
  }

  /// Records the end of a request. After a failed move, the next one has the same direction, because repeating a move changes
  /// nothing.
  mutating func finish(_ operation: Operation, item: Int, succeeded: Bool) {
    guard operation == .move else { return }
    resting.append(item)
    if succeeded { moved.formSymmetricDifference([item]) }
  }

  /// Whether an item is in the other list, as far as is known.
  func isMoved(_ index: Int) -> Bool { moved.contains(index) }

  /// Chooses the operation of a request that is not sent.
  mutating func nextOperation() -> Operation { mix.choose(random.next()) }

  /// Returns the item that an add request sends. It has every field except an address, whose look-up would be measured too.
  func newItem(_ index: Int) -> NewItem { NewItem(id: ids[index], content: Self.content("\(name) \(index)")) }

  /// Toggles the state of an item, and returns whether the item is to be checked.
  mutating func toggle(_ index: Int) -> Bool {
    isChecked[index].toggle()
    return isChecked[index]
  }

  static func content(_ title: String) -> ItemContent {
    ItemContent(
      title: title, itemDescription: "Two litres, one sourdough loaf",
      due: .time(Timestamp(microseconds: 1_800_000_000_000_000)),
      location: Location(name: "Corner shop", coordinate: Coordinate(latitude: 59.3293, longitude: 18.0686)))
  }
}

/// A SplitMix64 generator, whose numbers depend only on the seed and cost a few instructions each.
struct RandomSource: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a uniformly distributed number in `0..<bound`.
  mutating func index(below bound: Int) -> Int {
    Int(truncatingIfNeeded: next().multipliedFullWidth(by: UInt64(bound)).high)
  }
}
