/// An invalid value of a setting.
struct SettingError: Error, Equatable, CustomStringConvertible {
  /// The name of the setting, as an option without hyphens before it.
  let name: String
  let value: String
  /// Why the value is invalid, and which values are valid.
  let reason: String

  var description: String { value.isEmpty ? "\(name) \(reason)" : "\(name): “\(value)” \(reason)" }
}
