#if PostgreSQL
import PostgreSQL
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
        try addTitles(to: &read)
        return read.listing
      }
    }
  }

  /// The number of titles of one statement.
  private static let titleCount = 1000

  private func addTitles(to read: inout HistoryRead) throws {
    var positions = read.positions[...]
    while !positions.isEmpty {
      try Task.checkCancellation()
      let chunk = positions.prefix(Self.titleCount)
      positions = positions.dropFirst(Self.titleCount)
      let titles = read.titles(of: chunk)
      try read.addTitles(connection.run(titles.sql, titles.parameters), of: chunk)
    }
  }
}
#endif
