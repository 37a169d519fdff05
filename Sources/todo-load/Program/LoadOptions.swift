import ArgumentParser
import ToDoModel

/// The arguments of `todo-load` as they are written. `LoadSettings` validates them.
struct LoadOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo-load",
    abstract: "Load-test a to-do server and report latency, throughput and CPU usage.",
    discussion: """
      Without '--rate' or '--schedule', the loop is closed: each response is followed by the next request. With one of \
      them, the loop is open: requests are sent when they are due, regardless of responses. Their latency is measured \
      both from the time when they were due and from the time when they were sent, so the time that requests wait for a \
      stalled server counts.

      Schedules:
        const                  the constant rate of '--rate'
        step:1000..10000/5     from 1,000 to 10,000 requests per second in 5 steps
        line:1000..10000       from 1,000 to 10,000 requests per second, linearly

      Operations of '--mix': get reads an item of '--items'. check checks one, or unchecks it if the run checked it \
      last. list reads the first page of the list. add adds an item, which is deleted after the run. recur checks an item \
      that repeats, which adds a done item. move moves an item to the list 'todo-load', or back.

      Metrics of '--fail-if': p50, p90, p99, p99.9, p99.99, max and mean (latency from the time when requests were \
      due), errors, error-rate and rate. Comparisons: <, <=, > and >=.

      Examples:
        todo-load --server tcp://127.0.0.1:8636 --mix get=1
        todo-load --rate 10000 --fail-if 'p99>5ms' --fail-if 'errors>0'
        todo-load --schedule line:1000..50000 --duration 1m -o report.json

      Durations: 250us, 1.5ms, 10s, 2m, 1h.

      Exit status:
        0    success
        1    a condition of '--fail-if' holds
        2    invalid arguments
        5    the server was unreachable, or became unreachable
        6    not allowed
        7    any other failure
        130  interrupted; the report covers the run up to the interruption
      """,
    version: ServiceInfo.currentVersion)

  @OptionGroup(title: "Server") var server: ServerOptions
  @OptionGroup(title: "Load") var work: WorkOptions
  @OptionGroup(title: "Report") var report: ReportOptions
}

/// The options for the server's endpoint and the credentials.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The server: tls://host:8637, tcp://host:8636 or unix:///path. (default: $TODO_SERVER)",
      valueName: "endpoint"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "A file with a token, readable only by you. (default: $TODO_TOKEN_FILE, or no token)",
      valueName: "file"))
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file of CA certificates that the certificate of a tls:// server must chain to. (default: $TODO_CA, or the "
        + "system's trust store)",
      valueName: "file"))
  var ca: String?

  @Option(
    help: ArgumentHelp(
      "A PEM file with your client certificate for a tls:// server. (default: $TODO_CERTIFICATE)", valueName: "file"))
  var certificate: String?

  @Option(
    help: ArgumentHelp("A PEM file with the key of your client certificate. (default: $TODO_KEY)", valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "The ID of the server's process on this machine, to measure its CPU time. (default: the process at the other end "
        + "of a connection)",
      valueName: "pid"))
  var serverPid: Int32?
}

/// The options for the requests and their timing.
struct WorkOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The number of connections.", valueName: "n"))
  var connections = 16

  @Option(help: ArgumentHelp("The maximum number of requests in flight on each connection.", valueName: "n"))
  var inFlight = 16

  @Option(help: ArgumentHelp("The duration of the measurement. (default: 10s)", valueName: "time"))
  var duration: String?

  @Option(help: ArgumentHelp("The number of requests to measure, instead of a duration.", valueName: "n"))
  var total: Int?

  @Option(help: ArgumentHelp("The requests per second over all connections, in an open loop.", valueName: "n"))
  var rate: String?

  @Option(help: ArgumentHelp("The rate over time, in an open loop. See Schedules above.", valueName: "schedule"))
  var schedule: String?

  @Option(help: ArgumentHelp("The operations and their weights.", valueName: "parts"))
  var mix = "get=80,list=5,add=10,check=5"

  @Option(help: ArgumentHelp("The number of items to add before the run and delete after it.", valueName: "n"))
  var items = 1000

  @Flag(help: "Keep the run's items after the run.")
  var keep = false

  @Option(
    help: ArgumentHelp(
      "The number of clients that watch the list during the run, to measure the time from a write's response to its delivery.",
      valueName: "n"))
  var watchers = 0

  @Option(help: ArgumentHelp("The time to run before the measurement.", valueName: "time"))
  var warmUp = "1s"

  @Option(
    help: ArgumentHelp(
      "The timeout of each request, also sent to the server as its deadline. (default: 10s, in the client only)",
      valueName: "time"))
  var timeout: String?
}

/// The options for the report.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print CSV.")
  var csv = false

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "The file to write the report to, in addition to printing it. The format is that of '--json' or '--csv', or follows "
        + "from the extension .json or .csv, or is text.",
      valueName: "file"))
  var output: String?

  @Option(
    name: .customLong("fail-if"), parsing: .singleValue,
    help: ArgumentHelp(
      "A condition that makes the run fail with status 1, such as 'p99>5ms' or 'error-rate>0.1%'. Repeatable.",
      valueName: "condition"))
  var conditions: [String] = []
}
