import ToDoModel
import ToDoRules

/// Copies all lists and accounts of a store to an empty store, and verifies the copy.
///
/// The copy has everything that clients can read, and the same revisions and numbers. It always has a new incarnation,
/// like a restored backup. The source retains its incarnation and can still be served. If both had the same
/// incarnation, each could assign a revision to a different change, and a client that used both could not detect the
/// difference.
package struct StoreCopy {
  /// The progress of a copy.
  package enum Progress: Equatable, Sendable {
    /// `recordCount` records of the list were copied.
    case copying(Position, recordCount: Int)
    /// The list is completely copied. An earlier run copied it if `isResumed`.
    case copied(Position, CopiedSummary, isResumed: Bool)
    /// The copy of the list is being compared.
    case verifying(Position)
  }

  /// A list, and its position among all lists.
  package struct Position: Equatable, Sendable {
    /// The list's name.
    package let name: String
    /// The number of the list, from 1.
    package let number: Int
    /// The number of lists.
    package let count: Int
  }

  /// The numbers of lists, records, users and tokens that were copied.
  package struct Result: Equatable, Sendable {
    package var listCount = 0
    package var itemCount = 0
    package var deletedCount = 0
    package var changeCount = 0
    package var lookupCount = 0
    package var userCount = 0
    package var tokenCount = 0
  }

  private let source: any CopySource
  private let target: any CopyTarget
  private let report: (Progress) throws -> Void

  /// The number of records at which a transaction ends.
  package var maximumRecords = 1_000
  /// The number of bytes at which a transaction ends.
  private static let maximumBytes = 4 << 20

  /// - Parameter report: is called after each transaction. If it throws, the copy ends, and can be resumed.
  package init(
    from source: any CopySource, to target: any CopyTarget, report: @escaping (Progress) throws -> Void = { _ in }
  ) {
    self.source = source
    self.target = target
    self.report = report
  }

  /// Copies what an earlier run has not copied, and verifies everything.
  ///
  /// - Throws: `StoreCopyError`, an error of the engines, or the error of `report`. Unless the target is not empty,
  ///   another run continues the copy.
  package func run() throws -> Result {
    let lists = try source.lists()
    let accounts = try source.accounts()
    let userLists = try source.userLists()
    let targets = try source.notificationTargets()
    let states = try source.reminderStates()
    var completed = try target.begin(from: try source.identity)
    var summaries: [CopiedSummary] = []
    for (index, list) in lists.enumerated() {
      let position = Position(name: list.name, number: index + 1, count: lists.count)
      summaries.append(try move(list, position, completed: completed.removeValue(forKey: list.name)))
    }
    for name in completed.keys { try target.removeList(name) }
    try checkSource(lists, accounts, userLists, targets, states)
    try target.write(accounts)
    try target.write(userLists)
    try target.write(targets)
    try target.write(states)
    let copy = try target.reader()
    guard try copy.userLists() == userLists, try copy.notificationTargets() == targets,
      try copy.reminderStates() == states
    else {
      throw StoreCopyError.differentContents
    }
    try verify(lists, summaries, accounts)
    try target.complete()
    return Self.result(summaries, accounts)
  }

  private func move(_ list: CopiedList, _ position: Position, completed: CopiedSummary?) throws -> CopiedSummary {
    if let completed {
      var builder = CopiedSummaryBuilder(of: list)
      try source.forEachRecord(of: list) { builder.add($0) }
      if builder.summary == completed {
        // Only the counters can have changed.
        try target.finishList(list, completed)
        try report(.copied(position, completed, isResumed: true))
        return completed
      }
    }
    try target.removeList(list.name)
    let summary = try copyRecords(of: list, position)
    try target.finishList(list, summary)
    try report(.copied(position, summary, isResumed: false))
    return summary
  }

  private func copyRecords(of list: CopiedList, _ position: Position) throws -> CopiedSummary {
    var builder = CopiedSummaryBuilder(of: list)
    var (batch, size, count) = ([CopiedRecord](), 0, 0)
    func flush() throws {
      guard !batch.isEmpty else { return }
      try target.write(batch, of: list)
      count += batch.count
      (batch, size) = ([], 0)
      try report(.copying(position, recordCount: count))
    }
    try source.forEachRecord(of: list) { record in
      builder.add(record)
      batch.append(record)
      size += record.approximateSize
      if batch.count >= maximumRecords || size >= Self.maximumBytes { try flush() }
    }
    try flush()
    return builder.summary
  }

  /// - Throws: `StoreCopyError.sourceChanged` if another process has written to the source since the snapshot began.
  private func checkSource(
    _ lists: [CopiedList], _ accounts: Accounts, _ userLists: CopiedUserLists,
    _ targets: [OwnerID: [NotificationTarget]], _ states: [CopiedReminderState]
  ) throws {
    let isChanged = try source.endSnapshot()
    let current = try source.lists()
    if let changed = zip(lists, current).first(where: { $0 != $1 }) {
      throw StoreCopyError.sourceChanged(list: changed.1.name)
    }
    guard !isChanged, lists.count == current.count, try source.accounts() == accounts,
      try source.userLists() == userLists, try source.notificationTargets() == targets,
      try source.reminderStates() == states
    else {
      throw StoreCopyError.sourceChanged(list: current.count > lists.count ? current[lists.count].name : nil)
    }
  }

  /// Reads everything back from the target.
  private func verify(_ lists: [CopiedList], _ summaries: [CopiedSummary], _ accounts: Accounts) throws {
    let reader = try target.reader()
    let copies = try reader.lists()
    guard copies.map(\.name) == lists.map(\.name), try reader.accounts() == accounts else {
      throw StoreCopyError.differentContents
    }
    for (index, (list, copy)) in zip(lists, copies).enumerated() {
      try report(.verifying(Position(name: list.name, number: index + 1, count: lists.count)))
      var builder = CopiedSummaryBuilder(of: copy)
      // A row that cannot be decoded differs from the source.
      do { try reader.forEachRecord(of: copy) { builder.add($0) } } catch is ToDoError, StoreCopyError.damagedHistory {
        try reject(list)
      }
      guard copy == list, builder.summary == summaries[index] else { try reject(list) }
    }
  }

  private func reject(_ list: CopiedList) throws -> Never {
    try target.rejectList(list.name)
    throw StoreCopyError.mismatch(list: list.name)
  }

  private static func result(_ summaries: [CopiedSummary], _ accounts: Accounts) -> Result {
    Result(
      listCount: summaries.count, itemCount: summaries.reduce(0) { $0 + $1.itemCount },
      deletedCount: summaries.reduce(0) { $0 + $1.deletedCount },
      changeCount: summaries.reduce(0) { $0 + $1.changeCount },
      lookupCount: summaries.reduce(0) { $0 + $1.lookupCount }, userCount: accounts.users.count,
      tokenCount: accounts.tokens.count)
  }
}
