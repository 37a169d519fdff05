import Glibc
import Testing

@testable import todo

@Suite struct ChildProcessTests {
  // Without SIGPIPE, an editor's filter would not end when its reader does.
  @Test func child_whenThisProcessIgnoresSIGPIPE_doesNotIgnoreIt() throws {
    let previous = signal(SIGPIPE, SIG_IGN)
    defer { signal(SIGPIPE, previous) }
    let process = try ChildProcess(["/bin/sh", "-c", "kill -PIPE $$; exit 7"])
    #expect(try process.wait() == SIGPIPE)
  }

  @Test func waitForEnd_leavesTheStatus() throws {
    let process = try ChildProcess(["/bin/sh", "-c", "exit 7"])
    process.waitForEnd()
    #expect(try process.wait() >> 8 == 7)
  }

  /// A connection to a server would stay open as long as an editor in the background.
  @Test func child_inheritsNoDescriptors() throws {
    // One without O_CLOEXEC, as those of the network library.
    let descriptor = open("/dev/null", O_RDONLY)
    defer { close(descriptor) }
    let script = "test -e /proc/self/fd/2 && ! test -e /proc/self/fd/\(descriptor)"
    let process = try ChildProcess(["/bin/sh", "-c", script])
    #expect(try process.wait() == 0)
  }
}
