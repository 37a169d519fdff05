import Glibc
import Testing

@testable import todo

@Suite struct SignalPipeTests {
  // As a program that nohup starts ignores SIGHUP.
  @Test func handler_ofIgnoredSignal_isNotInstalled() {
    let previous = SignalAction.current(for: SIGUSR2)
    defer { previous.set(for: SIGUSR2) }
    signal(SIGUSR2, SIG_IGN)
    let release = SignalPipe.installHandlers([SIGUSR2])
    #expect(SignalAction.current(for: SIGUSR2).isIgnored)
    release()
    #expect(SignalAction.current(for: SIGUSR2).isIgnored)
  }
}
