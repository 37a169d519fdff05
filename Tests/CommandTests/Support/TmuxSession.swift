import Foundation
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A shell in a real terminal, which a test controls through tmux. The session ends with this value.
final class TmuxSession {
  private let directory: TemporaryDirectory
  /// A private server, which does not affect the user's sessions. It is not a daemon, so that the test can wait for it.
  private let server: Process

  private static let prompt = "prompt>"

  /// - Parameter environment: the variables of the shell's programs, in addition to those of the terminal.
  init(columns: Int, rows: Int, environment: [String: String]) throws {
    directory = try TemporaryDirectory()
    server = Self.process(["-D"], in: directory)
    try withoutBlockedSignals { try server.run() }
    ProcessGuard.shared.add(server)
    let variables = environment.merging(["PS1": Self.prompt + " ", "PATH": "/usr/bin:/bin"]) { $1 }
      .map { "\($0)=\($1)" }.sorted()
    let size = ["-x", "\(columns)", "-y", "\(rows)"]
    try Self.poll {
      try? tmux(["new-session", "-d"] + size + ["env", "-i", "TERM=screen"] + variables + ["sh", "-i"])
    }
    try wait { $0.hasPrefix(Self.prompt) }
  }

  deinit {
    server.terminate()
    server.waitUntilExit()
    ProcessGuard.shared.remove(server)
  }

  /// Types a line and presses Return.
  func enter(_ line: String) throws {
    try type(line)
    try press("Enter")
  }

  /// Types a text.
  func type(_ text: String) throws {
    try tmux(["send-keys", "-l", text])
  }

  /// Presses keys, specified by tmux's names.
  func press(_ keys: String...) throws {
    try tmux(["send-keys"] + keys)
  }

  func resize(columns: Int, rows: Int) throws {
    try tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// Returns the content of the window.
  func screen() throws -> String { try tmux(["capture-pane", "-p"]) }

  /// Polls until the content of the window satisfies a condition.
  @discardableResult
  func wait(until isShown: (String) -> Bool) throws -> String {
    var screen = ""
    do {
      return try Self.poll {
        screen = try self.screen()
        return isShown(screen) ? screen : nil
      }
    } catch is TimedOut {
      throw NotShown(screen: screen)
    }
  }

  /// Waits until the shell reads the next command: its earlier prompts appear before it reads, when a program ends.
  @discardableResult
  func waitForPrompt() throws -> String {
    try wait { ($0.split(separator: "\n").last ?? "") == Self.prompt }
  }

  struct NotShown: Error, CustomStringConvertible {
    let screen: String

    var description: String { "the window did not reach the expected content; it shows:\n\(screen)" }
  }

  private struct TimedOut: Error {}

  /// Repeats an attempt until it returns a value. The deadline allows for a busy machine.
  @discardableResult
  private static func poll<Value>(_ attempt: () throws -> Value?) throws -> Value {
    let deadline = ContinuousClock.now + .seconds(300)
    while true {
      if let value = try attempt() { return value }
      guard ContinuousClock.now < deadline else { throw TimedOut() }
      // tmux does not report changes of a window.
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

/// Runs `body` with no signals blocked, as on the main thread. The threads that run tests block signals, and processes
/// that they start inherit the mask.
func withoutBlockedSignals<Value>(_ body: () throws -> Value) rethrows -> Value {
  var (none, previous) = (sigset_t(), sigset_t())
  sigemptyset(&none)
  pthread_sigmask(SIG_SETMASK, &none, &previous)
  defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
  return try body()
}
