#if TLS
import ToDoTestProcesses

/// The `openssl` program, which is found with `PATH`.
enum OpenSSL {
  /// Runs the program to its end. Blocks the thread, for 10 ms in most cases and a second for an RSA key.
  ///
  /// - Throws: `Failure` if it fails.
  static func run(_ arguments: [String]) throws {
    let process = try CompletedProcess("/usr/bin/env", ["openssl"] + arguments)
    guard process.termination == .exited(0) else { throw Failure(arguments: arguments, process: process) }
  }

  struct Failure: Error, CustomStringConvertible {
    let arguments: [String]
    let process: CompletedProcess

    var description: String {
      "'openssl \(arguments.joined(separator: " "))' failed with status \(process.termination.status): \(process.error)"
    }
  }
}
#endif
