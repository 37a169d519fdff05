import ToDoModel

/// Chooses the operations and items of requests, and tracks the items that the run adds.
struct Workload {
  /// The IDs of the items that were added before the run, followed by those of the items that the run adds.
  private(set) var ids: [ItemID]
  /// The number of items that were added before the run, which get and check use.
  private let seedCount: Int
  private var isChecked: [Bool]
  private var random: RandomSource
  private let mix: Mix
  private let name: String

  /// - Parameters:
  ///   - ids: The IDs of the items that were added before the run.
  ///   - name: The prefix of item titles, which distinguishes the items of this run from other items.
  ///   - seed: The seed of the random choices.
  init(_ mix: Mix, ids: [ItemID], name: String, seed: UInt64) {
    self.mix = mix
    self.ids = ids
    self.name = name
    seedCount = ids.count
    isChecked = Array(repeating: false, count: ids.count)
    random = RandomSource(seed: seed)
  }

  /// Chooses the operation and the item of the next request.
  ///
  /// - Parameter time: Returns the time for the ID of a new item.
  mutating func next(at time: () -> Timestamp) -> (operation: Operation, item: Int) {
    let operation = mix.choose(random.next())
    guard operation == .add else { return (operation, operation.needsItems ? random.index(below: seedCount) : 0) }
    ids.append(ItemID(time: time(), using: &random))
    return (operation, ids.count - 1)
  }

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
