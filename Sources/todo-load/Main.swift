import Glibc
import Synchronization
import ToDoRPC
import ToDoSupport
import UnixSignals

@main
enum Main {
  static func main() async {
    // A write to a closed pipe fails with EPIPE instead of ending the program.
    signal(SIGPIPE, SIG_IGN)
    DescriptorLimit.raise()
    let interruption = Interruption()
    let status = await withTaskGroup(of: Void.self) { group in
      group.addTask { await interruption.waitForSignals() }
      let program = LoadProgram(context: .live { interruption.isRequested })
      let status = await program.run(Array(CommandLine.arguments.dropFirst()))
      group.cancelAll()
      return status
    }
    exit(status.rawValue)
  }
}

/// Counts SIGINT and SIGTERM: the first ends the run in an orderly way, the second exits immediately.
private final class Interruption: Sendable {
  private let count = Atomic<Int>(0)

  var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

  func waitForSignals() async {
    for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
      if count.add(1, ordering: .relaxed).newValue > 1 { _exit(ExitStatus.interrupted.rawValue) }
    }
  }
}
