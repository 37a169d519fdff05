/// One kind of inconsistency that a check found in a database.
public struct DatabaseProblem: Equatable, Sendable {
  public enum Kind: String, Sendable, CaseIterable {
    /// SQLite's own check of pages, tables and constraints failed.
    case damage
    /// SQLite's own check failed for indexes only, which can be rebuilt.
    case index
    /// A row holds a value that the program never writes.
    case unreadable
    /// Rows belong to a list that does not exist.
    case orphan
    /// A list's revision is lower than that of one of its changes.
    case revision
    /// The feed of a list lacks a revision.
    case gap
    /// A change is stored twice.
    case duplicateChange = "duplicate change"
    /// An item's order by due date is not the one that its due date gives.
    case position
    /// An item's place code is not that of its coordinate.
    case placeCode = "place code"
    /// An item's fingerprint is not that of its content.
    case fingerprint
    /// An existing item's ID is marked as deleted.
    case deletedID = "deleted ID"
    /// A list's stored number of items is wrong.
    case itemCount = "item count"
    /// A list's stored number of bytes is wrong.
    case byteCount = "byte count"
  }

  public let kind: Kind
  /// The number of rows or lists that have the problem.
  public var count: Int
  /// The first of them, for the operator.
  public let example: String

  public init(_ kind: Kind, count: Int = 1, example: String) {
    self.kind = kind
    self.count = count
    self.example = example
  }

  /// Whether `DatabaseCheck.repair` mends it without losing anything that a user wrote.
  public var isRepairable: Bool {
    switch kind {
    case .damage, .unreadable, .orphan, .position: false
    case .index, .revision, .gap, .duplicateChange, .placeCode, .fingerprint, .deletedID, .itemCount, .byteCount: true
    }
  }
}

extension DatabaseProblem: CustomStringConvertible {
  public var description: String {
    "\(kind.rawValue): \(example)" + (count > 1 ? " (and \(count - 1) more)" : "")
  }
}

/// Problems by their kind, in the order in which they were found.
struct ProblemList {
  private(set) var problems: [DatabaseProblem] = []

  mutating func add(_ kind: DatabaseProblem.Kind, _ example: @autoclosure () -> String) {
    if let index = problems.firstIndex(where: { $0.kind == kind }) {
      problems[index].count += 1
    } else {
      problems.append(DatabaseProblem(kind, example: example()))
    }
  }
}
