import Glibc

/// The users of the operating system.
package enum UnixUser {
  /// Returns a user's number.
  ///
  /// - Parameter text: a number or a name.
  /// - Returns: `nil` if this machine has no user of that name.
  package static func number(of text: String) -> UInt32? {
    UInt32(text) ?? getpwnam(text)?.pointee.pw_uid
  }
}
