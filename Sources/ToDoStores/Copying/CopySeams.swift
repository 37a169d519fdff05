package import ToDoModel
package import ToDoRules

/// Reads a store that is moved. All reads before `endSnapshot` show one moment. Calls block.
package protocol CopySource: AnyObject {
  /// The random values of the store, which identify a source whose copy was interrupted.
  var identity: StoreIdentity { get throws }

  /// Returns the lists in the bytewise order of their names.
  ///
  /// - Throws: `StoreCopyError.unfinishedDeletion`, or an error of the engine.
  func lists() throws -> [CopiedList]

  /// Reads a list's records in the order of `CopiedRecord`.
  func forEachRecord(of list: CopiedList, _ body: (CopiedRecord) throws -> Void) throws

  /// Returns the users, the tokens and the account version.
  func accounts() throws -> Accounts

  /// Returns the lists of all users, without their items.
  func userLists() throws -> CopiedUserLists

  /// Returns all users' notification targets.
  func notificationTargets() throws -> [OwnerID: [NotificationTarget]]

  /// Returns all users' states of reminders in shared lists.
  func reminderStates() throws -> [CopiedReminderState]

  /// Ends the snapshot, so that later reads show the current moment.
  ///
  /// - Returns: whether the store is known to have been changed since the snapshot began.
  func endSnapshot() throws -> Bool
}

/// Fills a new store with the contents of another store. Calls block.
///
/// Until `complete`, no server can open the store, and the store contains the progress of the copy.
package protocol CopyTarget: AnyObject {
  /// Prepares the copy, or resumes an interrupted copy of the same source.
  ///
  /// - Returns: the lists that are completely copied, by name.
  /// - Throws: `StoreCopyError` if the store is not empty.
  func begin(from source: StoreIdentity) throws -> [String: CopiedSummary]

  /// Removes everything of a list.
  func removeList(_ name: String) throws

  /// Adds records of a list, in one transaction.
  func write(_ records: [CopiedRecord], of list: CopiedList) throws

  /// Adds the counters of a list after its last records, and records that the list is complete.
  func finishList(_ list: CopiedList, _ summary: CopiedSummary) throws

  /// Records that a list is not complete, so that the next run copies it again.
  func rejectList(_ name: String) throws

  /// Replaces the users and the tokens.
  func write(_ accounts: Accounts) throws

  /// Replaces the lists of all users, without their items.
  func write(_ lists: CopiedUserLists) throws

  /// Replaces all users' notification targets.
  func write(_ targets: [OwnerID: [NotificationTarget]]) throws

  /// Replaces all users' reminder states.
  func write(_ states: [CopiedReminderState]) throws

  /// Returns a reader of the written data.
  func reader() throws -> any CopySource

  /// Removes the progress, and lets servers open the store.
  func complete() throws
}
