/// Kills the programs that a test has started if the test's process ends before they do, also if it is killed.
///
/// A shell reads the process IDs from a pipe whose other end only the test's process has open.
package final class ProcessGuard: Sendable {
  /// The guard of this process.
  package static let shared = ProcessGuard()

  private let pipe = try? ProcessPipe()
  private let shell: SpawnedProcess?

  package init() {
    shell = pipe.flatMap { try? SpawnedProcess("/bin/sh", ["-c", Self.script], input: .pipe($0), survivesGroup: true) }
  }

  deinit {
    end()
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
  package func add(_ process: SpawnedProcess) { send("add \(process.id)\n") }

  /// Leaves a process alone, because it has ended.
  package func remove(_ process: SpawnedProcess) { send("remove \(process.id)\n") }

  private func send(_ line: String) { try? pipe?.writingEnd.write(line) }

  /// Kills the processes, as the end of this process would, and waits for the guard's end.
  package func end() {
    pipe?.writingEnd.close()
    shell?.wait()
  }
}
