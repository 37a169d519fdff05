public import Foundation

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Kills the programs that a test has started if the test's process ends before they do, also if it is killed.
///
/// A shell reads the process IDs from a pipe whose other end only the test's process has open.
public final class ProcessGuard: Sendable {
  /// The guard of this process.
  public static let shared = ProcessGuard()

  private let pipe = Pipe()
  private let shell = Process()

  public init() {
    // Otherwise the programs that the test starts would keep it open.
    _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", Self.script]
    shell.standardInput = pipe
    try? shell.run()
  }

  /// Adds or removes IDs until the end of the input, and then kills the processes that remain.
  private static let script = """
    trap '' INT TERM HUP
    ids=' '
    while read -r change id; do
      case $change in
        add) ids="$ids$id " ;;
        remove) ids="${ids%% $id *} ${ids#* $id }" ;;
      esac
    done
    for id in $ids; do kill -KILL "$id"; done 2>/dev/null
    """

  /// Kills a process if this process ends first.
  public func add(_ process: Process) { send("add \(process.processIdentifier)\n") }

  /// Leaves a process alone, because it has ended.
  public func remove(_ process: Process) { send("remove \(process.processIdentifier)\n") }

  private func send(_ line: String) { pipe.fileHandleForWriting.write(Data(line.utf8)) }

  /// Kills the processes, as the end of this process would, and waits for the guard's end.
  public func end() {
    try? pipe.fileHandleForWriting.close()
    shell.waitUntilExit()
  }
}
