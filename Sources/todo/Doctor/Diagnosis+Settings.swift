import ToDoTransport

extension Diagnosis.Setting {
  /// The settings in force for a selected service, and where each comes from. Tokens are not shown.
  static func inForce(
    for selection: ServiceSelection, _ list: ListSelection?, _ options: GlobalOptions,
    _ environment: (String) -> String?
  ) -> [Diagnosis.Setting] {
    service(selection, options, environment) + (list.map { [$0.setting] } ?? [])
  }

  private static func service(
    _ selection: ServiceSelection, _ options: GlobalOptions, _ environment: (String) -> String?
  ) -> [Diagnosis.Setting] {
    switch selection {
    case .embedded(let path, _):
      return [
        .init("list", path, from: environment("XDG_DATA_HOME") == nil ? "default" : "XDG_DATA_HOME"),
        .choosing("geocoder", ("--geocoder", options.geocoder), "TODO_GEOCODER", environment, default: "gazetteer"),
      ]
    case .server(let endpoint, let credentials):
      let server = Diagnosis.Setting(
        "server", endpoint, from: options.server == nil ? "TODO_SERVER" : "--server")
      return [server, token(credentials.token, environment)] + identity(endpoint, options, environment)
    }
  }

  private static func token(_ token: String?, _ environment: (String) -> String?) -> Diagnosis.Setting {
    let (login, variable) = (TokenFile(environment: environment)?.path, "TODO_TOKEN_FILE")
    let origin = environment(variable).map { "\(variable)=\($0)" } ?? login ?? "default"
    return .init("token", token == nil ? "none" : "set", from: origin)
  }

  /// Returns the settings that identify the server and the user.
  private static func identity(
    _ endpoint: String, _ options: GlobalOptions, _ environment: (String) -> String?
  ) -> [Diagnosis.Setting] {
    switch Endpoint(endpoint) {
    case .tls:
      [
        .choosing("authorities", ("--ca", options.ca), "TODO_CA", environment, default: "the system's trust store"),
        .choosing(
          "certificate", ("--certificate", options.certificate), "TODO_CERTIFICATE", environment, default: "none"),
      ]
    case .unix:
      [.choosing("server user", nil, "TODO_SERVER_USER", environment, default: "you or root")]
    case .tcp, nil: []
    }
  }

  /// Returns a setting from an option, or else from an environment variable, or else with its default.
  private static func choosing(
    _ name: String, _ option: (name: String, value: String?)?, _ variable: String,
    _ environment: (String) -> String?, default: String
  ) -> Diagnosis.Setting {
    if let option, let value = option.value { return .init(name, value, from: option.name) }
    if let value = environment(variable) { return .init(name, value, from: variable) }
    return .init(name, `default`, from: "default")
  }
}

extension ListSelection {
  fileprivate var setting: Diagnosis.Setting {
    let origin =
      switch origin {
      case .option: "--list"
      case .variable: "TODO_LIST"
      case .used(let path): path
      }
    return .init("selected list", text, from: origin)
  }
}
