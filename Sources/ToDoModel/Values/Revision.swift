/// A counter of the changes to one owner's list.
///
/// It is 0 for a list that never changed and grows by one with every change. A change of several items at once,
/// as a batch or a bulk deletion, is one change.
public struct Revision: Hashable, Sendable {
  public let number: Int64

  public init(_ number: Int64) {
    self.number = number
  }

  public static let initial = Revision(0)

  package var next: Revision { Revision(number + 1) }
  package var previous: Revision { Revision(number - 1) }
}

extension Revision: Comparable {
  public static func < (left: Revision, right: Revision) -> Bool { left.number < right.number }
}

extension Revision: CustomStringConvertible {
  public var description: String { String(number) }
}
