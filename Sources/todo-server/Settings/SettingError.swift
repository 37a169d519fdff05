/// An invalid value of a setting.
struct SettingError: Error, Equatable, CustomStringConvertible {
  /// The name of the setting, as an option without hyphens before it.
  let name: String
  /// The value; empty if there is none, or if it may contain a password.
  let value: String
  /// The reason why the value is invalid, with the valid values.
  let reason: String

  /// Contains no value with an "@", because it may be a URL with a password.
  var description: String {
    value.isEmpty || value.utf8.contains(UInt8(ascii: "@")) ? "\(name) \(reason)" : "\(name): '\(value)' \(reason)"
  }
}
