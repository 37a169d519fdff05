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
}
