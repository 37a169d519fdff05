/// The exit status of a program.
///
/// A program that needs further statuses defines them in an extension. Statuses are ordered by their number: if several
/// items fail for different reasons, the program exits with the highest.
package struct ExitStatus: RawRepresentable, Hashable, Comparable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  /// The program did what its arguments specify.
  package static let success = ExitStatus(rawValue: 0)
  /// A failure that no other status describes.
  package static let failure = ExitStatus(rawValue: 1)
  /// Invalid arguments, or an item that breaks a rule.
  package static let usage = ExitStatus(rawValue: 2)
  /// An unknown item or place.
  package static let notFound = ExitStatus(rawValue: 3)
  /// A duplicate item, or an item that changed since it was read.
  package static let conflict = ExitStatus(rawValue: 4)
  /// The service cannot be reached, or did not respond before the deadline.
  package static let unreachable = ExitStatus(rawValue: 5)
  /// Missing or invalid credentials, or an operation that they do not permit.
  package static let notAllowed = ExitStatus(rawValue: 6)
  /// 128 plus the number of SIGINT, as shells report it.
  package static let interrupted = ExitStatus(rawValue: 130)

  /// Orders statuses by their number.
  package static func < (left: ExitStatus, right: ExitStatus) -> Bool { left.rawValue < right.rawValue }
}

/// Thrown by a command that has already reported every failure.
extension ExitStatus: Error {}
