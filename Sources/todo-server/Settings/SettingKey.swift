/// The keys of a configuration file. Each corresponds to an environment variable: `keepChanges` to
/// `TODO_SERVER_KEEP_CHANGES`.
enum SettingKey: String, CaseIterable {
  case listen, grpcListen, grpcReflection, httpListen, httpOrigin, httpURL, httpPage, metricsListen, trustedProxy
  case store, storeRead, geocoder, keepChanges, keepChangesFor, tlsCertificate, tlsKey, tlsClientCA
  case allowInsecure, requireAuthentication, allowUnixUser, maxItems, itemCache, notify, notifyPrivate
  case smtp, smtpFrom, smtpUser, smtpPasswordFile, limits, logLevel

  /// The environment variable with the same meaning.
  var variable: String {
    var words = ""
    var isUpper = true
    for character in rawValue {
      if character.isUppercase, !isUpper { words += "_" }
      isUpper = character.isUppercase
      words += character.uppercased()
    }
    return Self.prefix + words
  }

  private static let prefix = "TODO_SERVER_"

  /// Returns the variables that have the prefix of settings but are not settings, in alphabetical order.
  static func unknownVariables(among names: some Sequence<String>) -> [String] {
    let valid = Set(allCases.map(\.variable) + [prefix + "CONFIG"])
    return names.filter { $0.hasPrefix(prefix) && !valid.contains($0) }.sorted()
  }
}
