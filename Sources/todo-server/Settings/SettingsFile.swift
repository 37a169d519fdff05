import Configuration
import FoundationEssentials

/// A JSON configuration file that contains only valid keys.
struct SettingsFile: FileConfigSnapshot {
  private let values: JSONSnapshot

  /// Parses a file.
  ///
  /// - Throws: `SettingError` with the list of valid keys if the file contains another key.
  init(data: RawSpan, providerName: String, parsingOptions: JSONSnapshot.ParsingOptions) throws {
    values = try JSONSnapshot(data: data, providerName: providerName, parsingOptions: parsingOptions)
    let keys = try JSONDecoder().decode(Keys.self, from: data.withUnsafeBytes { Data($0) }).names
    guard let unknown = keys.filter({ SettingKey(rawValue: $0) == nil }).min() else { return }
    let valid = SettingKey.allCases.map(\.rawValue).joined(separator: ", ")
    throw SettingError(name: "config", value: unknown, reason: "is not a valid key; valid keys are \(valid)")
  }

  var providerName: String { values.providerName }
  var description: String { values.description }
  var debugDescription: String { values.debugDescription }

  func value(forKey key: AbsoluteConfigKey, type: ConfigType) throws -> LookupResult {
    try values.value(forKey: key, type: type)
  }

  /// The names of an object's members.
  private struct Keys: Decodable {
    let names: [String]

    init(from decoder: any Decoder) throws {
      names = try decoder.container(keyedBy: Name.self).allKeys.map(\.stringValue)
    }

    struct Name: CodingKey {
      let stringValue: String
      var intValue: Int? { nil }

      init?(stringValue: String) { self.stringValue = stringValue }

      init?(intValue: Int) { nil }
    }
  }
}
