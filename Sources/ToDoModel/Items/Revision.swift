/// A counter of the changes to one owner's list.
///
/// It is 0 for a list that never changed and grows by one with every change. A change of several items at once,
/// as a batch or a bulk deletion, is one change.
///
/// A revision can name the incarnation of the list that it belongs to. A service refuses a revision of another
/// incarnation than its list's with `ToDoError.listReplaced`. Comparisons regard the number only.
public struct Revision: Sendable {
  public let number: Int64
  /// The incarnation's number, or 0.
  private var incarnationNumber: UInt64 = 0

  public init(_ number: Int64) {
    self.number = number
  }

  /// - Parameter incarnation: that of the list that the revision belongs to, if it is known.
  public init(_ number: Int64, of incarnation: ListIncarnation?) {
    self.number = number
    self.incarnation = incarnation
  }

  /// The incarnation of the list that the revision belongs to; `nil` if it is unknown, and then not checked.
  public var incarnation: ListIncarnation? {
    get { ListIncarnation(incarnationNumber) }
    set { incarnationNumber = newValue?.number ?? 0 }
  }

  public static let initial = Revision(0)

  package var next: Revision { Revision(number + 1) }
  package var previous: Revision { Revision(number - 1) }
}

extension Revision: Hashable {
  public static func == (left: Revision, right: Revision) -> Bool { left.number == right.number }

  public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Revision: Comparable {
  public static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }
}

extension Revision: CustomStringConvertible {
  public var description: String { String(number) }
}
