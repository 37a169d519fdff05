/// What the program tells its caller with its exit status.
///
/// Where several items fail for different reasons, the greatest number wins.
enum ProgramStatus: Int32, Comparable, Sendable {
  case success = 0
  /// None of the others.
  case failure = 1
  case usage = 2
  case notFound = 3
  /// Also for a duplicate, and an item that changed meanwhile.
  case conflict = 4
  /// Also when a deadline passed.
  case unreachable = 5
  case notAllowed = 6
  case interrupted = 130

  static func < (left: ProgramStatus, right: ProgramStatus) -> Bool { left.rawValue < right.rawValue }
}
