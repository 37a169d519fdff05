#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules

/// Removes the rows that a list need not retain: earlier changes, expired deleted items, and reserved IDs.
///
/// First the floor of the feed rises by whole revisions, up to the first revision that must be retained. Then rows up
/// to the floor are removed. So a revision of many deletions is compacted in one step, and its rows are removed in
/// several.
struct ListCompaction: Sendable {
  let retention: ChangeRetention

  /// The number of a list's revisions between two compactions.
  static let interval: Int64 = 64
  /// The maximum number of revisions in one compaction, and the minimum row bound for each kind.
  private static let step = 4_096
  /// The maximum number of recent changes that raise the row bound.
  private static let recentLimit = 32_768

  /// Whether a list is due for compaction after its revision rose from `old` to `new`.
  static func isDue(from old: Revision, to new: Revision) -> Bool {
    old.number / interval != new.number / interval
  }

  /// Compacts a list, in its own transaction.
  ///
  /// - Parameters:
  ///   - now: the time of the list's last change.
  ///   - connection: a connection outside a transaction.
  /// - Throws: an error if nothing was compacted. The next compaction removes the rows.
  func compact(_ list: OwnerID, now: Timestamp, on connection: PostgreSQLConnection) throws {
    do {
      guard try isDue(list, now, connection) else { return }
      let start = try connection.send([
        BoundStatement(CompactionSQL.begin, Parameters()), BoundStatement(CompactionSQL.lock, .text(list.name)),
      ])
      guard start.count == 2, start[1].count == 1 else { return StoreTransaction.rollBack(connection) }
      let bounds = Bounds(revision: Revision(start[1].int64(0, 0)), floor: Revision(start[1].int64(0, 1)))
      if start[1].isMalformed { throw Self.malformed }
      let changes = try read(list, bounds, now, connection)
      let floor = try raisedFloor(bounds, changes, now)
      // Removing twice as many rows as there are recent changes catches up.
      let limit = max(Self.step, 2 * changes.recentCount)
      let results = try connection.send(removals(from: list, upTo: floor, now, limit: limit))
      guard results.last?.tag == "COMMIT" else { throw Self.rolledBack }
    } catch {
      StoreTransaction.rollBack(connection)
      throw error
    }
  }

  private func isDue(_ list: OwnerID, _ now: Timestamp, _ connection: PostgreSQLConnection) throws -> Bool {
    var parameters = Parameters.text(list.name)
    for number in [
      Int64(clamping: retention.count), now.microseconds, time(retention.age, before: now),
      time(retention.deletedIDAge, before: now),
    ] {
      parameters.append(number)
    }
    let rows = try connection.run(CompactionSQL.isDue, parameters)
    if rows.isMalformed { throw Self.malformed }
    return rows.count == 1 && rows.bool(0, 0)
  }

  private static let malformed = ToDoError.storeUnavailable(detail: "the stored list is malformed")
  private static let rolledBack = ToDoError.storeUnavailable(detail: "the database rolled the compaction back")

  // MARK: The floor

  private struct Bounds {
    let revision, floor: Revision
  }

  private struct Changes {
    /// The first revisions after the floor and their times, in order.
    let revisions: [(revision: Revision, time: Timestamp)]
    /// The time of the latest revision that `ChangeRetention.count` permits to compact.
    let latest: Timestamp?
    /// The number of changes since the last compaction.
    let recentCount: Int
  }

  private func read(
    _ list: OwnerID, _ bounds: Bounds, _ now: Timestamp, _ connection: PostgreSQLConnection
  ) throws -> Changes {
    let latest = latestRevision(bounds)
    var candidates = Parameters.text(list.name)
    for number in [bounds.floor.number, latest.number, now.microseconds, time(retention.age, before: now)] {
      candidates.append(number)
    }
    candidates.append(Int64(Self.step))
    var at = Parameters.text(list.name)
    at.append(latest.number)
    var recent = Parameters.text(list.name)
    recent.append(bounds.revision.number - Self.interval)
    recent.append(Int64(Self.recentLimit))
    let results = try connection.send([
      BoundStatement(CompactionSQL.candidates, candidates), BoundStatement(CompactionSQL.time, at),
      BoundStatement(CompactionSQL.recentCount, recent),
    ])
    guard results.count == 3, results[2].count == 1 else { throw Self.malformed }
    let changes = Changes(
      revisions: (0..<results[0].count).map { row in
        (revision: Revision(results[0].int64(row, 0)), time: Timestamp(microseconds: results[0].int64(row, 1)))
      }, latest: results[1].count == 1 ? Timestamp(microseconds: results[1].int64(0, 0)) : nil,
      recentCount: Int(results[2].int64(0, 0)))
    if results.contains(where: \.isMalformed) { throw Self.malformed }
    return changes
  }

  private func raisedFloor(_ bounds: Bounds, _ changes: Changes, _ now: Timestamp) throws -> Revision {
    var floor = bounds.floor
    // An invalid stored time must not stop compaction forever.
    let (range, lowest) = (Timestamp.supportedRange, Timestamp.supportedRange.lowerBound)
    for change in changes.revisions {
      let isAllowed = retention.allowsCompaction(
        changeAt: range.contains(change.time) ? change.time : lowest, revision: change.revision, now: now,
        current: bounds.revision, timeOf: { _ in changes.latest.map { range.contains($0) ? $0 : lowest } })
      guard isAllowed else { break }
      floor = change.revision
    }
    return floor
  }

  /// The latest revision that `ChangeRetention.count` permits to compact.
  private func latestRevision(_ bounds: Bounds) -> Revision {
    Revision(bounds.revision.number.subtracting(Int64(clamping: retention.count)))
  }

  /// Returns the latest time, in microseconds, that is at least `age` before `now`.
  private func time(_ age: Duration, before now: Timestamp) -> Int64 {
    now.microseconds.subtracting(age.roundedUpMicroseconds)
  }

  // MARK: Removal

  private func removals(
    from list: OwnerID, upTo floor: Revision, _ now: Timestamp, limit: Int
  ) -> [BoundStatement] {
    func parameters(_ bound: Int64) -> Parameters {
      var parameters = Parameters.text(list.name)
      parameters.append(bound)
      parameters.append(Int64(limit))
      return parameters
    }
    var reserved = parameters(time(retention.deletedIDAge, before: now))
    reserved.append(Int64(StoredSize.deletedID))
    return [
      BoundStatement(CompactionSQL.removeChanges, parameters(floor.number)),
      BoundStatement(CompactionSQL.expireItems, parameters(now.microseconds)),
      BoundStatement(CompactionSQL.removeReservedIDs, reserved), BoundStatement(CompactionSQL.commit, Parameters()),
    ]
  }
}

extension Int64 {
  /// Returns the difference, clamped to the range of the type.
  fileprivate func subtracting(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    guard overflow else { return difference }
    return other > 0 ? .min : .max
  }
}

extension Duration {
  /// The number of microseconds, rounded up and at least 0; clamped to the range of the type.
  fileprivate var roundedUpMicroseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (sum, sumOverflow) = whole.addingReportingOverflow((attoseconds + 999_999_999_999) / 1_000_000_000_000)
    return overflow || sumOverflow ? .max : sum
  }
}
#endif
