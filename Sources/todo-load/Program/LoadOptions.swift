import ArgumentParser
import ToDoModel

/// The arguments of `todo-load`, as they are written. `LoadSettings` is what they mean.
struct LoadOptions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "todo-load",
    abstract: "Load-test a to-do server, and say honestly how it did.",
    discussion: """
      Without '--rate' or '--schedule' the loop is closed: each answer is followed by the next request. With one of \
      them it is open: requests are sent when they are due, whatever the answers do, and their latency is counted from \
      when they were due as well as from when they were sent. So a server that stalls is not flattered by requests \
      that waited for it.

      Schedules:
        const                  the rate of '--rate' all the time
        step:1000..10000/5     from 1,000 to 10,000 requests a second in 5 steps
        line:1000..10000       from 1,000 to 10,000 requests a second, evenly

      Operations of '--mix': get and check are about the items of '--items'; check unchecks what it has checked before; \
      list reads the first page; add adds an item, which is deleted after the run.

      Figures of '--fail-if': p50, p90, p99, p99.9, p99.99, max and mean (times, from when requests were due), errors, \
      error-rate and rate; compared by <, <=, > or >=.

      Examples:
        todo-load --server tcp://127.0.0.1:8636 --mix get=1
        todo-load --rate 10000 --fail-if 'p99>5ms' --fail-if 'errors>0'
        todo-load --schedule line:1000..50000 --duration 1m -o report.json

      Times: 250us, 1.5ms, 10s, 2m, 1h.

      Exit status:
        0    done
        1    a condition of '--fail-if' holds
        2    wrong usage
        5    the server was not reached, or went away
        6    not allowed
        7    failed in a way that is not listed here
        130  interrupted; the report is of what was done
      """,
    version: ServiceInfo.currentVersion)

  @OptionGroup(title: "The server") var server: ServerOptions
  @OptionGroup(title: "What is sent, and when") var work: WorkOptions
  @OptionGroup(title: "The report") var report: ReportOptions
}

/// Where the server is, and who comes.
struct ServerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The server: tls://host:8637, tcp://host:8636 or unix:///path. Default: TODO_SERVER.", valueName: "endpoint"))
  var server: String?

  @Option(
    help: ArgumentHelp(
      "A file with a token, which nobody but you can read. Default: TODO_TOKEN_FILE, or else no token.",
      valueName: "file"))
  var tokenFile: String?

  @Option(
    help: ArgumentHelp(
      "What a tls:// server's certificate must lead to: a file in PEM. Default: TODO_CA, or else what the system trusts.",
      valueName: "file"))
  var ca: String?

  @Option(
    help: ArgumentHelp("Your own certificate for a tls:// server. Default: TODO_CERTIFICATE.", valueName: "file"))
  var certificate: String?

  @Option(help: ArgumentHelp("The key of your certificate. Default: TODO_KEY.", valueName: "file"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "The server's process on this machine, whose CPU is measured. Default: the one at the other end of a connection.",
      valueName: "pid"))
  var serverPid: Int32?
}

/// What is sent, and when.
struct WorkOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many connections.", valueName: "n"))
  var connections = 16

  @Option(help: ArgumentHelp("How many requests each connection has in flight at most.", valueName: "n"))
  var inFlight = 16

  @Option(help: ArgumentHelp("How long to measure. Default: 10s.", valueName: "time"))
  var duration: String?

  @Option(help: ArgumentHelp("How many requests to measure, instead of how long.", valueName: "n"))
  var total: Int?

  @Option(help: ArgumentHelp("Requests a second, over all connections: an open loop.", valueName: "n"))
  var rate: String?

  @Option(help: ArgumentHelp("How the rate goes, in an open loop: see above.", valueName: "schedule"))
  var schedule: String?

  @Option(help: ArgumentHelp("The operations and how often each occurs.", valueName: "parts"))
  var mix = "get=80,list=5,add=10,check=5"

  @Option(help: ArgumentHelp("How many items to add before the run. They are deleted after it.", valueName: "n"))
  var items = 1000

  @Flag(help: "Delete nothing after the run.")
  var keep = false

  @Option(
    help: ArgumentHelp(
      "How many watch the list meanwhile: measures from each write's answer to its delivery.", valueName: "n"))
  var watchers = 0

  @Option(help: ArgumentHelp("How long to run before measuring.", valueName: "time"))
  var warmUp = "1s"

  @Option(
    help: ArgumentHelp(
      "How long an answer may take, which the server is told. Default: 10s, which it is not told.", valueName: "time"))
  var timeout: String?
}

/// How the outcome is reported.
struct ReportOptions: ParsableArguments {
  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Print CSV.")
  var csv = false

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Write the report to a file too: as JSON or CSV if its name ends so, or a flag says so.", valueName: "file"))
  var output: String?

  @Option(
    name: .customLong("fail-if"), parsing: .singleValue,
    help: ArgumentHelp(
      "Exit with 1 if this holds, as in 'p99>5ms' or 'error-rate>0.1%'. Can be repeated.", valueName: "condition"))
  var conditions: [String] = []
}
