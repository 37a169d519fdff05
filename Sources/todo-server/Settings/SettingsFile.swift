import Configuration
import FoundationEssentials

/// A JSON file of settings that contains only valid keys.
///
/// swift-configuration's own JSON reader needs all of Foundation, which would double the program's size.
struct SettingsFile {
  /// Provides the file's values to a `ConfigReader`.
  let provider: InMemoryProvider
  let path: String
  /// The store that the file sets, if any.
  let store: String?

  /// Returns the path of the settings file: the one that the environment names, or else the packaged server's if it exists.
  ///
  /// - Parameter isForbidden: whether this user may not read a file, whose directory can hide whether it exists.
  static func path(
    _ named: String?, installedAt installed: String, isForbidden: (String) -> Bool
  ) -> String? {
    if let named { return named }
    return FileManager.default.fileExists(atPath: installed) || isForbidden(installed) ? installed : nil
  }

  /// Reads a file.
  ///
  /// - Throws: `SettingError` if the file cannot be read, contains another key, or a value of another type.
  init(path: String) throws {
    let values: [String: Value]
    do { values = try JSONDecoder().decode([String: Value].self, from: Data(contentsOf: URL(filePath: path))) } catch {
      throw SettingError(name: "config", value: path, reason: "cannot be read: \(Self.reason(of: error))")
    }
    if let unknown = values.keys.filter({ SettingKey(rawValue: $0) == nil }).min() {
      let valid = SettingKey.allCases.map(\.rawValue).joined(separator: ", ")
      throw SettingError(name: "config", value: unknown, reason: "is not a valid key; valid keys are \(valid)")
    }
    let pairs = values.map { key, value in (AbsoluteConfigKey([key]), ConfigValue(value.content, isSecret: false)) }
    self.path = path
    switch values["store"]?.content {
    case nil: store = nil
    case .string(let text): store = text
    default: throw SettingError(name: "config", value: path, reason: "cannot be read: 'store' must be a string")
    }
    provider = InMemoryProvider(name: path, values: Dictionary(uniqueKeysWithValues: pairs))
  }

  /// The types of values that settings have.
  private struct Value: Decodable {
    let content: ConfigContent

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let value = try? container.decode(Bool.self) {
        content = .bool(value)
      } else if let value = try? container.decode(Int.self) {
        // As from an option or the environment, which have only text.
        content = .string(String(value))
      } else if let value = try? container.decode(String.self) {
        content = .string(value)
      } else {
        content = .stringArray(try container.decode([String].self))
      }
    }
  }

  private static func reason(of error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      guard let key = context.codingPath.first else { return "it does not contain a JSON object" }
      return "'\(key.stringValue)' must be a string, an integer, true, false or an array of strings"
    case is DecodingError: return "it does not contain JSON"
    case let error as CocoaError where error.code == .fileReadNoSuchFile: return "there is no such file"
    case let error as CocoaError where error.code == .fileReadNoPermission: return "this user may not read it"
    default: return "it is not a readable file"
    }
  }
}
