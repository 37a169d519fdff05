import Foundation
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A shell in a real terminal of its own, at which a test types and looks. It ends with this value.
final class TmuxSession {
  private let directory: TemporaryDirectory
  /// Its own, so that nothing of the person's is seen or touched; and no daemon, so that it can be waited for.
  private let server: Process

  static let prompt = "prompt>"

  /// - Parameter environment: all that the shell's programs see, besides what makes a terminal.
  init(columns: Int, rows: Int, environment: [String: String]) throws {
    directory = try TemporaryDirectory()
    server = Self.process(["-D"], in: directory)
    try withoutBlockedSignals { try server.run() }
    let variables = environment.merging(["PS1": Self.prompt + " ", "PATH": "/usr/bin:/bin"]) { $1 }
      .map { "\($0)=\($1)" }.sorted()
    let size = ["-x", "\(columns)", "-y", "\(rows)"]
    try Self.patiently {
      try? tmux(["new-session", "-d"] + size + ["env", "-i", "TERM=screen"] + variables + ["sh", "-i"])
    }
    try wait { $0.hasPrefix(Self.prompt) }
  }

  deinit {
    server.terminate()
    server.waitUntilExit()
  }

  /// Types a line and presses Return.
  func enter(_ line: String) throws {
    try tmux(["send-keys", "-l", line])
    try press("Enter")
  }

  /// Presses keys, by tmux's names for them.
  func press(_ keys: String...) throws {
    try tmux(["send-keys"] + keys)
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What the window shows.
  func screen() throws -> String { try tmux(["capture-pane", "-p"]) }

  /// Looks until the window shows something.
  @discardableResult
  func wait(until isShown: (String) -> Bool) throws -> String {
    var screen = ""
    do {
      return try Self.patiently {
        screen = try self.screen()
        return isShown(screen) ? screen : nil
      }
    } catch is TimedOut {
      throw NotShown(screen: screen)
    }
  }

  struct NotShown: Error, CustomStringConvertible {
    let screen: String

    var description: String { "the window does not show what it should, but:\n\(screen)" }
  }

  private struct TimedOut: Error {}

  /// Tries until there is a value, for as long as a busy machine may need.
  @discardableResult
  private static func patiently<Value>(_ attempt: () throws -> Value?) throws -> Value {
    let deadline = ContinuousClock.now + .seconds(300)
    while true {
      if let value = try attempt() { return value }
      guard ContinuousClock.now < deadline else { throw TimedOut() }
      // tmux tells nobody that a window has changed.
      usleep(20_000)
    }
  }

  private struct Failed: Error {
    let message: String
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let process = Self.process(["-N"] + arguments, in: directory)
    let (output, error) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = error
    try process.run()
    let texts = try [output, error].map {
      String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(message: texts[1]) }
    return texts[0]
  }

  private static func process(_ arguments: [String], in directory: TemporaryDirectory) -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["tmux", "-S", directory.file("tmux"), "-f", "/dev/null", "-u"] + arguments
    process.standardInput = FileHandle.nullDevice
    return process
  }
}

/// Does something on a thread as a program's first thread is: those that tests run on block signals, and a process that
/// they start inherits that.
func withoutBlockedSignals<Value>(_ body: () throws -> Value) rethrows -> Value {
  var (none, previous) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, &previous)
  defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
  return try body()
}
