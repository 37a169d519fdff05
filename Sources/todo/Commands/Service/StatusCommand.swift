import ArgumentParser
import ToDoModel
import ToDoSupport
import ToDoText

/// `todo status`
struct StatusCommand: ToDoCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show the service in use and its health.", usage: "todo status [<options>]")

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) async throws {
    try await session.withConnection { connection in
      let start = session.context.uptime()
      let info = try await connection.service.info()
      let latency = session.context.uptime() - start
      let health = try await connection.health()
      if session.options.json {
        try session.print(json(connection, info, latency, health).indentedText)
      } else if !session.options.quiet {
        try session.printLines(lines(connection, info, latency, health))
      }
      if health != .serving { throw ExitStatus.unreachable }
    }
  }

  private func json(
    _ connection: ServiceConnection, _ info: ServiceInfo, _ latency: Duration, _ health: ServiceConnection.Health
  ) -> JSONValue {
    let list = connection.list.map { [JSONValue.Member("list", $0.reference)] } ?? []
    return .object(
      [
        .init("endpoint", .string(connection.endpoint)),
        .init("serverVersion", .string(info.version)),
        .init("latencyMilliseconds", .number(latency.milliseconds)),
        .init("health", .string(health.rawValue)),
      ] + list)
  }

  private func lines(
    _ connection: ServiceConnection, _ info: ServiceInfo, _ latency: Duration, _ health: ServiceConnection.Health
  ) -> [String] {
    let fields = [
      connection.location, ("in use", connection.list?.name ?? ""), ("version", info.version),
      ("latency", "\(latency.milliseconds) ms"),
      ("health", health.rawValue.lowercased().replacing("_", with: " ")), ("geodata", info.geocoderAttribution),
    ]
    return fields.filter { !$0.1.isEmpty }.map { $0.padded(toWidth: 10) + $1.escapingControls() }
  }
}
