/// The number of changes that were made to one owner's list.
///
/// It is 0 for a list that never changed, and each change increments it by one. An operation on several items, such as
/// a batch or a bulk deletion, is one change.
///
/// A revision can name the incarnation of the list that it belongs to. A service rejects a revision of another
/// incarnation with `ToDoError.listReplaced`. Comparisons ignore the incarnation.
public struct Revision: Sendable {
  /// The number of changes.
  public let number: Int64
  /// The incarnation's number, or 0.
  private var incarnationNumber: UInt64 = 0

  /// Creates a revision of an unknown incarnation.
  public init(_ number: Int64) {
    self.number = number
  }

  /// Creates a revision of an incarnation.
  ///
  /// - Parameter incarnation: the incarnation of the list that the revision belongs to, or `nil` if it is unknown.
  public init(_ number: Int64, of incarnation: ListIncarnation?) {
    self.number = number
    self.incarnation = incarnation
  }

  /// The incarnation of the list that the revision belongs to. If it is `nil`, the service does not check it.
  public var incarnation: ListIncarnation? {
    get { ListIncarnation(incarnationNumber) }
    set { incarnationNumber = newValue?.number ?? 0 }
  }

  /// The revision of a list that never changed.
  public static let initial = Revision(0)

  /// The revision after this one.
  public var next: Revision { Revision(number + 1) }
  /// The revision before this one.
  public var previous: Revision { Revision(number - 1) }
}

extension Revision: Hashable {
  /// Whether both revisions have the same number.
  public static func == (left: Revision, right: Revision) -> Bool { left.number == right.number }

  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Revision: Comparable {
  /// Whether the first revision is earlier.
  public static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }
}

extension Revision: CustomStringConvertible {
  public var description: String { String(number) }
}
