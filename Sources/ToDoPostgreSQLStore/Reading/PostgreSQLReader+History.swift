#if PostgreSQL
import ToDoPostgreSQL
import ToDoModel
import ToDoRules

extension PostgreSQLReader {
  /// Lists recorded revisions, the latest first.
  ///
  /// - Throws: `CancellationError` if the task is cancelled during the read.
  func history(_ selection: HistorySelection, of owner: OwnerID) throws -> HistoryListing {
    try repeatingIfLost {
      var read = HistoryRead(selection, of: owner)
      return try inSnapshot([read.next]) { rows in
        try read.add(rows[0])
        while !read.isComplete {
          try Task.checkCancellation()
          let next = read.next
          try read.add(connection.run(next.sql, next.parameters))
        }
        try addDetails(to: &read)
        return read.listing
      }
    }
  }

  private func addDetails(to read: inout HistoryRead) throws {
    while let details = read.nextDetails {
      try Task.checkCancellation()
      try read.addDetails(connection.run(details.sql, details.parameters))
    }
  }
}
#endif
