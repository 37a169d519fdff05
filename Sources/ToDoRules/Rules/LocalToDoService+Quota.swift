import ToDoModel

extension LocalToDoService {
  /// Checks the quota before content is added or replaces other content.
  ///
  /// - Throws: `ToDoError.quotaExceeded` if the write might exceed the quota.
  func checkQuota(for content: ItemContent, in transaction: any ItemTransaction) throws {
    // An edit retains the former content as history, so both add at most the size of the new content.
    guard try transaction.byteCount + StoredSize.of(content) <= byteLimit else {
      throw ToDoError.quotaExceeded(limitBytes: byteLimit)
    }
  }

  /// Runs a write. If it would exceed the list's quota, makes room and tries again.
  ///
  /// Items take precedence over their history and over deleted items. First the list's changes are compacted, so that
  /// watches that have fallen behind need a snapshot. If that is not enough, deleted items are removed.
  func writeWithinQuota<Value: Sendable>(
    reading reads: ItemReads, _ body: @escaping @Sendable (any ItemTransaction) throws -> Value
  ) async throws -> Value {
    try await makingRoom { try await write(reading: reads, body) }
  }

  /// Runs a write that adds to this list. If it would exceed the list's quota, makes room and tries again.
  func makingRoom<Value: Sendable>(for write: () async throws -> Value) async throws -> Value {
    do { return try await write() } catch ToDoError.quotaExceeded {
      if try await makeRoom(by: { try $0.compactChanges() }) {
        do { return try await write() } catch ToDoError.quotaExceeded {}
      }
      let freed = try await makeRoom {
        _ = try $0.removeDeletedItems(limit: Self.removedItems, sizeLimit: Self.removedBytes)
      }
      guard freed else { throw ToDoError.quotaExceeded(limitBytes: byteLimit) }
      return try await write()
    }
  }

  /// Compacts the list's changes after a write that may exceed the quota.
  func compactChanges() async throws { _ = try await makeRoom { try $0.compactChanges() } }

  /// The number of deleted items that one transaction removes.
  static let removedItems = 64
  /// A transaction that removes deleted items ends when it has removed this many bytes.
  static let removedBytes = 64 << 10

  /// Runs short transactions that free space, until half the quota is free or there is nothing left to free.
  ///
  /// - Returns: whether any space was freed.
  private func makeRoom(by free: @escaping @Sendable (any ItemTransaction) throws -> Void) async throws -> Bool {
    var freed = false
    // Bounded, because other calls may keep writing.
    for _ in 0..<64 {
      let (before, after) = try await write(reading: ItemReads()) { transaction in
        let before = try transaction.byteCount
        try free(transaction)
        return (before, try transaction.byteCount)
      }
      guard after < before else { break }
      freed = true
      if after < byteLimit / 2 { break }
    }
    return freed
  }
}

// A member's changes in a shared list count in the member's rate, and in one that all members of its owner's lists share.
extension LocalToDoService {
  package func checkWriteRate() throws { try admit(0, textSize: 0) }

  /// Admits a write and takes its cost.
  ///
  /// - Throws: `ToDoError.notPermitted`, `ToDoError.writeRateExceeded`.
  func admit(_ itemCount: Int, textSize: Int) throws {
    if let membership {
      try membership.checkRole()
      try writeRate?.admit(0, textSize: 0, to: membership.rateOwner)
    }
    try writeRate?.admit(itemCount, textSize: textSize, to: rateOwner)
    if let membership { writeRate?.charge(itemCount, textSize: textSize, to: membership.rateOwner) }
  }

  /// Admits a write as soon as the rate allows it, and takes its cost.
  ///
  /// - Throws: `CancellationError` as soon as the task is canceled.
  func admitWhenPossible(_ itemCount: Int, textSize: Int) async throws {
    if let membership {
      try await writeRate?.admitWhenPossible(itemCount, textSize: textSize, to: membership.rateOwner)
    }
    try await writeRate?.admitWhenPossible(itemCount, textSize: textSize, to: rateOwner)
  }

  /// Takes the cost by which an admitted write exceeds the cost that it was admitted with.
  func charge(_ itemCount: Int, textSize: Int) {
    writeRate?.charge(itemCount, textSize: textSize, to: rateOwner)
    if let membership { writeRate?.charge(itemCount, textSize: textSize, to: membership.rateOwner) }
  }
}
