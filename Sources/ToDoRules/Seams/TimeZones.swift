package import ToDoModel

/// Finds the rules of IANA time zones by name.
///
/// The calls may read files, and do not wait for anything else. They can be concurrent.
package protocol TimeZones: AnyObject, Sendable {
  /// Returns the rules of a time zone, or `nil` if there is none with this name. The empty name is UTC.
  func rules(of name: String) -> (any TimeZoneRules)?
}
