import Foundation
import TestSupport
import Testing

/// The end of a test's process, which must not leave programs running.
@Suite(.serialized, .timeLimited) struct ProcessGuardTests {
  private func start() throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sleep")
    process.arguments = ["3600"]
    try process.run()
    return process
  }

  @Test func end_killsProcesses_exceptRemovedOnes() throws {
    let guardian = ProcessGuard()
    let processes = try (0..<3).map { _ in try start() }
    for process in processes { guardian.add(process) }
    guardian.remove(processes[1])
    guardian.end()
    for process in [processes[0], processes[2]] {
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL)
    }
    #expect(processes[1].isRunning)
    kill(processes[1].processIdentifier, SIGKILL)
    processes[1].waitUntilExit()
  }
}
