import ToDoModel
import ToDoRPC
import ToDoStores
import ToDoText
import ToDoTransport

/// Makes the checks of `todo doctor`, one after the other. After a failure, those that depend on it are skipped.
struct Doctor {
  private typealias Check = Diagnosis.Check

  let context: CommandContext
  let selection: ServiceSelection
  /// The list that the user has selected; `nil` for the default list.
  let list: ListSelection?
  private var checks: [Diagnosis.Check] = []

  init(_ context: CommandContext, _ selection: ServiceSelection, list: ListSelection? = nil) {
    self.context = context
    self.selection = selection
    self.list = list
  }

  /// Returns the results of all checks.
  mutating func examine() async -> [Diagnosis.Check] {
    let mayConnect =
      switch selection {
      case .embedded(let path, _): examineDatabase(path)
      case .server(let endpoint, _): examineAddress(endpoint)
      }
    if mayConnect { await examineService() } else { checks.append(Check("service", .skipped, "not examined")) }
    return checks
  }

  // MARK: The list on this machine

  /// The free space in bytes below which the next writes could fail: the log of SQLite alone may take 40 MB.
  private static let lowSpace: Int64 = 64 << 20

  private mutating func examineDatabase(_ path: String) -> Bool {
    do {
      guard let database = try context.machine.database(path) else {
        checks.append(Check("database", .ok, "does not exist yet; 'todo add' creates it"))
        return false
      }
      examineFile(database, path)
      return examineContent(database.report, path)
    } catch {
      checks.append(
        Check("database", .failed, Failure(error).message, remedy: DatabaseRemedy(error, path: path).text))
      return false
    }
  }

  private mutating func examineFile(_ database: MachineInspection.Database, _ path: String) {
    let isPrivate = database.permissions & 0o077 == 0
    checks.append(
      isPrivate
        ? Check("permissions", .ok, "only you can read the list")
        : Check("permissions", .warning, "other users can read the list", remedy: "chmod 600 \(path)"))
    let mebibytes = database.freeBytes >> 20
    checks.append(
      database.freeBytes >= Self.lowSpace
        ? Check("space", .ok, "\(mebibytes) MiB free")
        : Check("space", .warning, "only \(mebibytes) MiB free", remedy: "make room on the file system of \(path)"))
  }

  private mutating func examineContent(_ report: DatabaseCheck.Report, _ path: String) -> Bool {
    let items = "\(report.itemCount) \(report.itemCount == 1 ? "item" : "items")"
    guard let problem = report.problems.first else {
      checks.append(Check("database", .ok, "\(items), no problems\(report.isComplete ? "" : " in the part checked")"))
      return true
    }
    let others = report.problems.count > 1 ? ", and \(report.problems.count - 1) other kinds of problems" : ""
    let remedy =
      report.problems.allSatisfy(\.isRepairable)
      ? "todo-server check --repair --store sqlite:\(path)" : DatabaseRemedy.restore
    checks.append(Check("database", .failed, "\(problem)\(others)", remedy: remedy))
    return !report.problems.contains { $0.kind == .damage }
  }

  // MARK: A server

  private mutating func examineAddress(_ text: String) -> Bool {
    switch Endpoint(text) {
    case .tcp(let host, _), .tls(let host, _):
      do {
        checks.append(Check("address", .ok, try context.machine.address(host)))
        return true
      } catch {
        let remedy = "check the spelling of the name and the network of this machine"
        checks.append(Check("address", .failed, "the name \(host) has no known address", remedy: remedy))
        return false
      }
    case .unix, nil: return true
    }
  }

  // MARK: The service

  private mutating func examineService() async {
    let connection: ServiceConnection
    do { connection = try await context.connect(selection) } catch {
      checks.append(failed("connection", error))
      return
    }
    await examine(connection)
    await connection.close()
  }

  private mutating func examine(_ connection: ServiceConnection) async {
    do {
      let health = try await connection.health()
      checks.append(
        health == .serving
          ? Check("connection", .ok, connection.location.text)
          : Check("connection", .failed, "the service does not accept requests", remedy: "ask the server's operator"))
    } catch {
      checks.append(failed("connection", error))
      checks.append(Check("service", .skipped, "not examined"))
      return
    }
    do {
      // The first call also signs in.
      _ = try await connection.service.info()
      let start = context.uptime()
      let info = try await connection.service.info()
      checks.append(Check("service", .ok, "responds in \((context.uptime() - start).milliseconds) ms"))
      checks.append(version(info))
      checks.append(clock(info))
      checks.append(await geocoder(info, connection.service))
      if let list { checks.append(await selected(list, in: connection)) }
    } catch {
      checks.append(failed("service", error))
    }
  }

  private func selected(_ list: ListSelection, in connection: ServiceConnection) async -> Diagnosis.Check {
    var connection = connection
    do {
      try await connection.select(list)
      return Check("selected list", .ok, connection.list?.name ?? list.text)
    } catch {
      let failure = Failure(error)
      return Check("selected list", .failed, failure.message, remedy: failure.details.last)
    }
  }

  private func version(_ info: ServiceInfo) -> Diagnosis.Check {
    guard info.version != ServiceInfo.currentVersion else { return Check("version", .ok, info.version) }
    return Check(
      "version", .warning, "the service has \(info.version), this program \(ServiceInfo.currentVersion)",
      remedy: "install the same version on both sides")
  }

  private func clock(_ info: ServiceInfo) -> Diagnosis.Check {
    let difference = info.time.microseconds - context.clock.now().microseconds
    let seconds = abs(difference) / 1_000_000
    guard seconds >= 10 else { return Check("clock", .ok, "equal to the service's") }
    let side = difference > 0 ? "ahead of" : "behind"
    return Check(
      "clock", .warning, "the service's clock is \(seconds) s \(side) the clock of this machine",
      remedy: "synchronize the clocks of both machines")
  }

  private func geocoder(_ info: ServiceInfo, _ service: any ToDoService) async -> Diagnosis.Check {
    guard info.capabilities.contains(.geocodeAddress) else {
      return Check("geocoder", .ok, "none; places are saved without coordinates")
    }
    do {
      let start = context.uptime()
      _ = try await service.geocode(GeocodeQuery(address: "Berlin"))
      return Check("geocoder", .ok, "responds in \((context.uptime() - start).milliseconds) ms")
    } catch {
      return failed("geocoder", error)
    }
  }

  // MARK: Failures

  private func failed(_ name: String, _ error: any Error) -> Diagnosis.Check {
    let failure = Failure(error)
    return Check(name, .failed, failure.message, remedy: remedy(for: failure))
  }

  private func remedy(for failure: Failure) -> String? {
    switch failure.reason {
    case "SERVER_NOT_TRUSTED": "name the server's authorities with '--ca', or ask the operator for a valid certificate"
    case "TLS_FILE", "PRIVATE_FILE": "correct the file or its permissions"
    case "GEOCODER_UNAVAILABLE": "try again later, or select another geocoder with '--geocoder'"
    default:
      switch failure.code {
      case .unauthenticated: "get a token from the operator, and store it with 'todo login'"
      case .permissionDenied: "ask the operator for permission"
      case .unavailable, .deadlineExceeded:
        "check that the server is running at this endpoint, and that no firewall is between"
      default: nil
      }
    }
  }
}
