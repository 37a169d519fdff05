import ProgramSupport
import Synchronization
import TTRPCTransport
import UnixSignals

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

@main
enum Main {
  static func main() async {
    // A closed pipe is seen by the write that fails.
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

/// Whether the person asks to end: the first time, the program ends in good order, the second time at once.
private final class Interruption: Sendable {
  private let count = Atomic<Int>(0)

  var isRequested: Bool { count.load(ordering: .relaxed) > 0 }

  func waitForSignals() async {
    for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
      if count.add(1, ordering: .relaxed).newValue > 1 { _exit(ExitStatus.interrupted.rawValue) }
    }
  }
}
