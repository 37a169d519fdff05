import ToDoClient
import ToDoSupport
import ToDoTransport

/// The validated settings from the arguments and the environment.
struct LoadSettings: Sendable {
  var plan: LoadPlan
  var client: ToDoClient.Configuration
  /// Whether the run's items are kept after the run.
  var keepsItems: Bool
  /// The ID of the server's process, or `nil` to find the process through a connection.
  var serverProcess: Int32?
  var conditions: [FailCondition]
  var output: ReportOutput
}

extension LoadSettings {
  /// Validates the arguments, and reads the token file.
  ///
  /// - Throws: `UsageError`, or `PrivateFileError` if the token file cannot be used.
  init(_ options: LoadOptions, environment: (String) -> String?) throws {
    plan = try LoadPlan(options.work, endpoint: Self.endpoint(options.server, environment))
    conditions = try options.report.conditions.map { try FailCondition($0) }
    output = try ReportOutput(options.report)
    client = ToDoClient.Configuration()
    client.tls = try Self.tls(options.server, environment)
    client.token = try (options.server.tokenFile ?? environment("TODO_TOKEN_FILE")).map { try Self.token(inFile: $0) }
    if let text = environment("TODO_SERVER_USER") {
      guard let user = UnixUser.number(of: text) else {
        throw UsageError(
          "TODO_SERVER_USER is '\(text)', which is not a user of this machine; set it to a user's name or number")
      }
      client.serverUnixUsers = [user]
    }
    keepsItems = options.work.keep
    serverProcess = options.server.serverPid
    if let serverProcess, serverProcess <= 0 {
      throw UsageError("'--server-pid \(serverProcess)' is not a valid process ID; it must be at least 1")
    }
  }

  private static func endpoint(_ options: ServerOptions, _ environment: (String) -> String?) throws -> Endpoint {
    guard let text = options.server ?? environment("TODO_SERVER") else {
      throw UsageError(
        "no server specified; use '--server', or start one with "
          + "'todo-server --listen tcp://127.0.0.1:8636 --store memory:' and use '--server tcp://127.0.0.1:8636'")
    }
    guard let endpoint = Endpoint(text) else {
      let quoted = Endpoint.isQuotable(text) ? "'\(text)'" : "the server"
      throw UsageError("\(quoted) is not a valid endpoint; write tls://host:port, tcp://host:port or unix:///path")
    }
    guard endpoint.isSupported else { throw UsageError("'\(text)' cannot be used: \(Endpoint.withoutTLS)") }
    return endpoint
  }

  private static func tls(_ options: ServerOptions, _ environment: (String) -> String?) throws -> ClientTLS {
    let certificate = options.certificate ?? environment("TODO_CERTIFICATE")
    let key = options.key ?? environment("TODO_KEY")
    guard (certificate == nil) == (key == nil) else {
      throw UsageError("'--certificate' and '--key' must be used together")
    }
    var tls = ClientTLS(authorities: options.ca ?? environment("TODO_CA"))
    if let certificate, let key { tls.identity = .init(certificate: certificate, key: key) }
    return tls
  }

  /// Returns the token in a file that contains nothing else.
  ///
  /// - Throws: `UsageError` without the path, which may be a token, if the file does not exist; `PrivateFileError` if it does
  ///   not contain exactly one word, or is readable by users other than its owner.
  static func token(inFile path: String) throws -> String {
    guard let text = try PrivateFile.read(path, followsLinks: true) else {
      throw UsageError("there is no such token file; use '--token-file' or TODO_TOKEN_FILE with the path of a file")
    }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 1, let token = words.first else {
      let content = words.isEmpty ? "no token" : "more than one word"
      throw PrivateFileError(path, "contains \(content); it must contain one token")
    }
    return String(token)
  }
}

extension LoadPlan {
  /// Validates the options that describe the load.
  ///
  /// - Throws: `UsageError` if an option is invalid or options contradict each other.
  init(_ options: WorkOptions, endpoint: Endpoint) throws {
    self.init(endpoint: endpoint, mix: try Mix(options.mix))
    connections = try Self.number(options.connections, "--connections", in: 1...10_000)
    inFlight = try Self.number(options.inFlight, "--in-flight", in: 1...8192)
    items = try Self.number(options.items, "--items", in: 0...1_000_000)
    watchers = try Self.number(options.watchers, "--watchers", in: 0...10_000)
    warmUp = try Self.time(options.warmUp, "--warm-up", atLeast: 0)
    pace = try Self.pace(options)
    if let text = options.timeout {
      timeout = try Self.time(text, "--timeout", atLeast: .millisecond)
      sendsTimeout = true
    }
    if items == 0, mix.contains(where: \.needsItems) {
      throw UsageError("only list and add need no items; omit '--items 0', or use '--mix list=1,add=1'")
    }
    if mix.contains(where: { $0 == .move }), items < connections * inFlight {
      throw UsageError("move needs an item for each request in flight; use '--items \(connections * inFlight)' or more")
    }
    if watchers > 0, !mix.contains(where: \.isWrite) {
      throw UsageError("'--watchers' needs writes, but '--mix \(options.mix)' has none; include add, check or recur")
    }
  }

  private static func pace(_ options: WorkOptions) throws -> Pace {
    if options.duration != nil, options.total != nil {
      throw UsageError("'--duration' and '--total' both specify the end; omit one")
    }
    let duration = try time(options.duration ?? "10s", "--duration", atLeast: 10 * .millisecond)
    let total = try options.total.map { try number($0, "--total", in: 1...1_000_000_000) }
    guard options.rate != nil || options.schedule != nil else {
      return .closed(total.map(Extent.total) ?? .duration(duration))
    }
    let shape = try Schedule.Shape(options.schedule ?? "const", rate: options.rate.map(rate))
    let schedule = total.map { Schedule(shape, count: $0) } ?? Schedule(shape, duration: duration)
    guard schedule.count > 0 else {
      throw UsageError("no request is due within the duration, at \(shape); increase the rate or the duration")
    }
    return .open(schedule)
  }

  private static func rate(_ text: String) throws -> Double {
    guard let rate = Double(text), Schedule.Shape.rates.contains(rate) else {
      throw UsageError("'--rate \(text)' is not a valid rate; it must be 0.1 to 10,000,000 requests per second")
    }
    return rate
  }

  private static func number(_ number: Int, _ option: String, in range: ClosedRange<Int>) throws -> Int {
    guard range.contains(number) else {
      let (minimum, maximum) = (Figure.count(range.lowerBound), Figure.count(range.upperBound))
      throw UsageError("'\(option) \(number)' is out of range; it must be \(minimum) to \(maximum)")
    }
    return number
  }

  private static func time(_ text: String, _ option: String, atLeast minimum: Nanoseconds) throws -> Nanoseconds {
    guard let time = Nanoseconds(text: text) else {
      throw UsageError(
        "'\(option) \(text)' is not a valid duration; write a number and its unit, as in 250us, 1.5ms, 10s or 2m")
    }
    guard time >= minimum else {
      throw UsageError("'\(option) \(text)' is too short; it must be at least \(Figure.time(Double(minimum)))")
    }
    return time
  }
}
