#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules
import ToDoStores

extension PostgreSQLReader {
  /// Lists changes.
  ///
  /// - Throws: `ToDoError.revisionCompacted`, `ToDoError.revisionInFuture`; `CancellationError` if the task is
  ///   cancelled during the read.
  func changes(_ selection: ChangeSelection, of owner: OwnerID) throws -> ChangeListing {
    try repeatingIfLost {
      // A watch reads a few changes at a time, which takes one round trip without a transaction of several.
      try firstChanges(selection, owner) ?? allChanges(selection, owner)
    }
  }

  /// Lists changes if the first chunk contains all of them; otherwise returns `nil`.
  private func firstChanges(_ selection: ChangeSelection, _ owner: OwnerID) throws -> ChangeListing? {
    var read = ChangeRead(selection, of: owner)
    let revision = try read.begin(connection.send(read.first(selection, owner)), selection)
    return read.isComplete ? read.listing(at: revision) : nil
  }

  /// Lists changes in chunks. The revision and all chunks are of one moment.
  private func allChanges(_ selection: ChangeSelection, _ owner: OwnerID) throws -> ChangeListing {
    var read = ChangeRead(selection, of: owner)
    return try inSnapshot(read.first(selection, owner)) { rows in
      let revision = try read.begin(rows, selection)
      while !read.isComplete {
        try Task.checkCancellation()
        let next = read.next
        try read.add(connection.run(next.sql, next.parameters))
      }
      return read.listing(at: revision)
    }
  }
}

extension ChangeRead {
  /// The statements of the list's revision and of the first chunk.
  fileprivate func first(_ selection: ChangeSelection, _ owner: OwnerID) -> [BoundStatement] {
    [BoundStatement(ReadSQL.revision, Parameters(of: owner)), next]
  }

  /// Adds the rows of `first`, and returns the list's revision.
  fileprivate mutating func begin(_ rows: [Rows], _ selection: ChangeSelection) throws -> Revision {
    let revision = try ListRevision(rows[0])
    try selection.check(oldest: revision.floor, current: revision.current)
    try add(rows[1])
    return revision.current
  }
}
#endif
