import Glibc
import Testing
import ToDoTestProcesses
import ToDoTestSupport

/// The end of a test's process, which must not leave programs running.
@Suite(.serialized, .timeLimited, .blocking) struct ProcessGuardTests {
  private func start() throws -> SpawnedProcess { try SpawnedProcess("/bin/sleep", ["3600"]) }

  @Test func end_killsProcesses_exceptRemovedOnes() throws {
    let guardian = ProcessGuard()
    let processes = try (0..<3).map { _ in try start() }
    for process in processes { guardian.add(process) }
    guardian.remove(processes[1])
    guardian.end()
    for process in [processes[0], processes[2]] { #expect(process.wait() == .signaled(SIGKILL)) }
    #expect(processes[1].isRunning)
  }
}
