/// One kind of inconsistency that a check found in a database.
public struct DatabaseProblem: Equatable, Sendable {
  /// The kinds of inconsistencies.
  @nonexhaustive
  public enum Kind: String, Sendable, CaseIterable {
    /// SQLite's own check of pages, tables and constraints failed.
    case damage
    /// SQLite's own check failed for indexes only, which can be rebuilt.
    case index
    /// A row holds a value that the program never writes.
    case unreadable
    /// Rows belong to a list that does not exist.
    case orphan
    /// A list's revision is lower than a change's.
    case revision
    /// The feed of a list lacks a revision.
    case gap
    /// A change is stored twice.
    case duplicateChange = "duplicate change"
    /// An item's stored order by due date does not match its due date.
    case position
    /// An item's place code does not match its coordinate.
    case placeCode = "place code"
    /// An item's fingerprint does not match its content.
    case fingerprint
    /// An existing item's ID is marked as deleted.
    case deletedID = "deleted ID"
    /// An item has a higher number than the last that its list has assigned.
    case number
    /// A list's stored number of items is wrong.
    case itemCount = "item count"
    /// A list's stored number of bytes is wrong.
    case byteCount = "byte count"
  }

  /// The kind of the inconsistency.
  public let kind: Kind
  /// The number of rows or lists that have the problem.
  public var count: Int
  /// A description of the first row or list, for the operator.
  public let example: String

  /// - Parameters:
  ///   - count: the number of rows or lists that have the problem.
  ///   - example: a description of the first row or list.
  public init(_ kind: Kind, count: Int = 1, example: String) {
    self.kind = kind
    self.count = count
    self.example = example
  }

  /// Whether `DatabaseCheck.repair` can repair it without losing user data.
  public var isRepairable: Bool {
    switch kind {
    case .damage, .unreadable, .orphan, .position: false
    case .index, .revision, .gap, .duplicateChange, .placeCode, .fingerprint, .deletedID, .number, .itemCount,
      .byteCount:
      true
    }
  }
}

extension DatabaseProblem: CustomStringConvertible {
  public var description: String {
    "\(kind.rawValue): \(example)" + (count > 1 ? " (and \(count - 1) more)" : "")
  }
}

/// Problems grouped by kind, in the order in which they were found.
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
