import Foundation
import Glibc
import ToDoTestProcesses
import ToDoTestSupport

/// A shell in a real terminal, which a test controls through tmux. The session ends with this value.
final class TmuxSession {
  private let directory: TemporaryDirectory
  /// A private server, which does not affect the user's sessions. It is not a daemon, so that the test can wait for it.
  private let server: SpawnedProcess

  private static let prompt = "prompt>"

  /// - Parameter environment: the variables of the shell's programs, in addition to those of the terminal.
  init(columns: Int, rows: Int, environment: [String: String]) throws {
    directory = try TemporaryDirectory()
    server = try SpawnedProcess(Self.program, Self.arguments(["-D"], in: directory))
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
    server.signal(SIGTERM)
    server.wait()
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
  ///
  /// - Parameter pause: the time between two attempts, in microseconds.
  @discardableResult
  func wait(pause: UInt32 = 20_000, until isShown: (String) -> Bool) throws -> String {
    var screen = ""
    do {
      return try Self.poll(pause: pause) {
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
  private static func poll<Value>(pause: UInt32 = 20_000, _ attempt: () throws -> Value?) throws -> Value {
    let deadline = ContinuousClock.now + .seconds(300)
    while true {
      if let value = try attempt() { return value }
      guard ContinuousClock.now < deadline else { throw TimedOut() }
      // tmux does not report changes of a window.
      usleep(pause)
    }
  }

  private struct Failed: Error {
    let message: String
  }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    let process = try CompletedProcess(Self.program, Self.arguments(["-N"] + arguments, in: directory))
    guard process.termination == .exited(0) else { throw Failed(message: process.error) }
    return process.output
  }

  private static let program = "/usr/bin/env"

  private static func arguments(_ arguments: [String], in directory: TemporaryDirectory) -> [String] {
    ["tmux", "-S", directory.file("tmux"), "-f", "/dev/null", "-u"] + arguments
  }
}
