import ToDoModel
import ToDoRules

/// The folded texts of one owner's items at one revision, with the keys that order the items.
///
/// A text search reads memory instead of rows. The texts are immutable: items that change later are held separately,
/// and hide their earlier texts.
struct SearchIndex: Sendable {
  /// The properties by which a listing orders and filters an item, in 48 bytes.
  struct Entry: Sendable {
    let id: ItemID
    let createdAt: Int64
    /// The time when the item is due (`DueDate.order`), or when it was completed.
    let listKey: Int64
    let revision: Int64
    let isDone: Bool
    /// The end of the item's texts in the chunk.
    fileprivate var end: UInt32 = 0

    init(id: ItemID, createdAt: Int64, listKey: Int64, revision: Int64, isDone: Bool) {
      (self.id, self.createdAt, self.listKey) = (id, createdAt, listKey)
      (self.revision, self.isDone) = (revision, isDone)
    }
  }

  /// The texts of consecutive items, each text with its separator.
  private struct Chunk: Sendable {
    var entries: [Entry] = []
    var texts: [UInt8] = []

    var byteCount: Int { entries.count * MemoryLayout<Entry>.stride + texts.count }
  }

  /// The owner's revision at which the index is true.
  private(set) var revision: Revision
  private var chunks: [Chunk] = []
  /// The chunk that is being filled.
  private var open = Chunk()
  private var closedSize = 0
  /// The items that changed after the chunks were filled; `nil` for deleted items.
  private var changed: [ItemID: ToDoItem?] = [:]
  private var changedSize = 0

  init(at revision: Revision) { self.revision = revision }

  /// The approximate number of bytes in memory.
  var byteCount: Int { closedSize + open.byteCount + changedSize }

  /// The size of a chunk, unless the texts of one item are larger.
  private static let chunkSize = 256 << 10
}

// MARK: - Contents

extension SearchIndex {
  /// Appends an item.
  ///
  /// - Parameter texts: the folded texts of the item.
  mutating func append(_ entry: Entry, _ texts: FoldedText) {
    if open.texts.count + texts.count > Self.chunkSize { closeChunk() }
    if open.texts.capacity == 0 { open.texts.reserveCapacity(max(Self.chunkSize, texts.count)) }
    texts.withBytes { open.texts.append(contentsOf: $0) }
    var entry = entry
    entry.end = UInt32(open.texts.count)
    open.entries.append(entry)
  }

  /// Closes the last chunk, after all items were appended.
  mutating func closeChunk() {
    guard !open.entries.isEmpty else { return }
    // Arrays without spare capacity.
    chunks.append(Chunk(entries: Array(open.entries[...]), texts: Array(open.texts[...])))
    closedSize += open.byteCount
    open = Chunk()
  }

  /// The limits of changes after the chunks were filled. Beyond them, the index is worth building again.
  private static let (changeLimit, changeSizeLimit) = (4096, 2 << 20)

  /// Applies the changes up to a revision, in the order of their revisions.
  ///
  /// - Returns: false if there are too many changes. Then the index is not valid.
  mutating func apply(_ change: ItemChange) -> Bool {
    if let replaced = changed[change.id] { changedSize -= Self.size(of: replaced) }
    let item: ToDoItem? = if case .put(let item, _) = change { item } else { nil }
    changed[change.id] = .some(item)
    changedSize += Self.size(of: item)
    return changed.count <= Self.changeLimit && changedSize <= Self.changeSizeLimit
  }

  /// Records that all changes up to a revision were applied.
  mutating func advance(to revision: Revision) { self.revision = revision }

  private static func size(of item: ToDoItem?) -> Int {
    2 * MemoryLayout<ToDoItem>.stride + (item?.content.textSize ?? 0)
  }
}

// MARK: - Search

extension SearchIndex {
  /// Returns the first matches of a selection in its order, and one more than its limit if there are so many.
  ///
  /// - Throws: `CancellationError` if the task is canceled. This is checked after each 256 KiB of text.
  func firstMatches(_ selection: ItemSelection) throws -> [ItemID] {
    var matches = FirstMatches(selection)
    for chunk in chunks {
      try Task.checkCancellation()
      chunk.entries.withUnsafeBufferPointer { entries in
        chunk.texts.withUnsafeBufferPointer { search($0, entries, selection, &matches) }
      }
    }
    for case (_, let item?) in changed
    where selection.state.includes(item) && selection.text.matches(item.content) {
      matches.insert(ItemPosition(of: item, in: selection.order), item.id)
    }
    return matches.sorted()
  }

  private func search(
    _ texts: UnsafeBufferPointer<UInt8>, _ entries: UnsafeBufferPointer<Entry>, _ selection: ItemSelection,
    _ matches: inout FirstMatches
  ) {
    var (start, index) = (0, 0)
    while let match = selection.text.firstMatchOfLongestWord(in: texts, from: start) {
      while entries[index].end <= match { index += 1 }
      let entry = entries[index]
      let first = index == 0 ? 0 : Int(entries[index - 1].end)
      start = Int(entry.end)
      guard selection.state == .all || entry.isDone == (selection.state == .done) else { continue }
      guard changed.isEmpty || changed[entry.id] == nil else { continue }
      guard selection.text.matchesOtherWords(in: UnsafeBufferPointer(rebasing: texts[first..<start])) else { continue }
      matches.insert(entry.position(in: selection.order), entry.id)
    }
  }
}

extension SearchIndex.Entry {
  /// As `ItemPosition.init(of:in:)`.
  fileprivate func position(in order: ItemOrder) -> ItemPosition {
    switch (order, isDone) {
    case (.list, false):
      ItemPosition(section: ItemPosition.toDo, primary: listKey, secondary: createdAt, tieBreak: id)
    case (.list, true): ItemPosition(section: ItemPosition.done, primary: ~listKey, secondary: 0, tieBreak: ~id)
    case (.created, _): ItemPosition(section: 0, primary: createdAt, secondary: 0, tieBreak: id)
    case (.updated, _): ItemPosition(section: 0, primary: ~revision, secondary: 0, tieBreak: ~id)
    }
  }
}

/// The first matches of a selection, in memory proportional to its limit.
private struct FirstMatches {
  private typealias Match = (position: ItemPosition, id: ItemID)

  private let after: ItemPosition?
  private let limit: Int
  private var matches: [Match] = []
  /// No match after this position is among the first.
  private var last: ItemPosition?

  init(_ selection: ItemSelection) {
    after = selection.after
    limit = selection.limit == .max ? .max : selection.limit + 1
  }

  mutating func insert(_ position: ItemPosition, _ id: ItemID) {
    if let after, position <= after { return }
    if let last, position > last { return }
    matches.append((position, id))
    // Halves an array of twice the limit, so that each match is sorted only a few times.
    if matches.count / 2 > limit { prune() }
  }

  private mutating func prune() {
    matches.sort { $0.position < $1.position }
    matches.removeSubrange(limit...)
    last = matches.last?.position
  }

  mutating func sorted() -> [ItemID] {
    if matches.count > limit {
      prune()
    } else {
      matches.sort { $0.position < $1.position }
    }
    return matches.map(\.id)
  }
}
