/// The rules for names of IANA time zones.
package enum ZoneName {
  /// The maximum size of a name, in bytes of UTF-8.
  static let sizeLimit = 64

  /// Whether a text can be the name of a time zone: empty for UTC, or parts such as `Europe` and `Berlin` between slashes, which
  /// consist of letters, digits, `_`, `+` and `-`. Like all zone names, it begins with a capital letter.
  ///
  /// A valid name is a relative path without `.` and `..`.
  package static func isValid(_ name: String) -> Bool {
    guard let first = name.utf8.first else { return true }
    guard name.utf8.count <= sizeLimit, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(first) else {
      return false
    }
    let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { byte in
          switch byte {
          case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
          case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"): true
          default: false
          }
        }
    }
  }

  /// The reason why a text is not the name of a time zone.
  package static let violation = "must be empty for UTC, or the name of an IANA time zone, such as Europe/Berlin"
}
