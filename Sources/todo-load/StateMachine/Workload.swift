import ToDoModel

/// What the requests are about: chooses operations and items, and remembers what the run has made.
struct Workload {
  /// The run's own items: those that were there before it began, then those that it adds.
  private(set) var ids: [ItemID]
  /// How many items were there before the run; reads and checks are about these.
  private let seedCount: Int
  private var isChecked: [Bool]
  private var random: RandomSource
  private let mix: Mix
  private let name: String

  /// - Parameters:
  ///   - name: tells the items of this run from those of others.
  init(_ mix: Mix, ids: [ItemID], name: String, seed: UInt64) {
    self.mix = mix
    self.ids = ids
    self.name = name
    seedCount = ids.count
    isChecked = Array(repeating: false, count: ids.count)
    random = RandomSource(seed: seed)
  }

  /// Chooses what the next request does.
  ///
  /// - Parameter time: for the ids of new items.
  mutating func next(at time: () -> Timestamp) -> (operation: Operation, item: Int) {
    let operation = mix.choose(random.next())
    guard operation == .add else { return (operation, operation.needsItems ? random.index(below: seedCount) : 0) }
    ids.append(ItemID(time: time(), using: &random))
    return (operation, ids.count - 1)
  }

  /// What a request that is never sent would have done.
  mutating func nextOperation() -> Operation { mix.choose(random.next()) }

  /// What `add` sends: an item with all that items can have, but an address, whose look-up would be measured too.
  func newItem(_ index: Int) -> NewItem { NewItem(id: ids[index], content: Self.content("\(name) \(index)")) }

  /// Whether a request about the item is to check it; otherwise to uncheck it.
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
