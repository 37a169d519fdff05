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
    let selection = try session.listSelection(of: try session.selection())
    try await session.withConnection(selectingList: false) { connection in
      var connection = connection
      let unknown = try await select(selection, &connection)
      let start = session.context.uptime()
      let info = try await connection.service.info()
      let latency = session.context.uptime() - start
      let health = try await connection.health()
      if session.options.json {
        try session.print(json(connection, info, latency, health, unknown).indentedText)
      } else if !session.options.quiet {
        try session.printLines(lines(connection, info, latency, health, unknown))
        for detail in unknown?.details ?? [] { session.printNotice(detail) }
      }
      if health != .serving { throw ExitStatus.unreachable }
    }
  }

  /// Selects the list in use.
  ///
  /// - Returns: the reason why it cannot be found, if the environment or `todo use` selects it. The service works anyway.
  /// - Throws: `Failure` if the option `--list` selects it; the errors of the service.
  private func select(_ selection: ListSelection?, _ connection: inout ServiceConnection) async throws -> Failure? {
    guard let selection else { return nil }
    do { try await connection.select(selection) } catch let failure as Failure where selection.origin != .option {
      return failure
    }
    return nil
  }

  private func json(
    _ connection: ServiceConnection, _ info: ServiceInfo, _ latency: Duration, _ health: ServiceConnection.Health,
    _ unknown: Failure?
  ) -> JSONValue {
    let list =
      unknown.map { [JSONValue.Member("list", .null), JSONValue.Member("listError", .string($0.message))] }
      ?? connection.list.map { [JSONValue.Member("list", $0.reference)] } ?? []
    return .object(
      [
        .init("endpoint", .string(connection.endpoint)),
        .init("serverVersion", .string(info.version)),
        .init("latencyMilliseconds", .number(latency.milliseconds)),
        .init("health", .string(health.rawValue)),
      ] + list)
  }

  private func lines(
    _ connection: ServiceConnection, _ info: ServiceInfo, _ latency: Duration, _ health: ServiceConnection.Health,
    _ unknown: Failure?
  ) -> [String] {
    let fields = [
      connection.location, ("in use", unknown?.message ?? connection.list?.name ?? ""), ("version", info.version),
      ("latency", "\(latency.milliseconds) ms"),
      ("health", health.rawValue.lowercased().replacing("_", with: " ")), ("geodata", info.geocoderAttribution),
    ]
    return fields.filter { !$0.1.isEmpty }.map { $0.padded(toWidth: 10) + $1.escapingControls() }
  }
}
