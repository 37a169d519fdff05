#if PostgreSQL
import Foundation
import Glibc
import ToDoTestProcesses

/// A shell that starts a server, and stops it when this process has ended or `end()` is called.
///
/// The shell waits for the end of a pipe whose other end only this process has open.
final class ServerWatcher: Sendable {
  private let input: OwnedDescriptor
  private let shell: SpawnedProcess

  /// Starts a server, and waits until it accepts connections.
  init(directory: String, settings: [String]) throws {
    let options = settings.map { "-c \($0)" }.joined(separator: " ")
    let arguments = ["/bin/sh", "-c", Self.script, "sh", directory, try Self.programs(), options]
    let prefix = getuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--init-groups"] : []
    let (input, output) = (try ProcessPipe(), try ProcessPipe())
    // The directory of the tests may be inaccessible for the user of the server.
    shell = try SpawnedProcess(
      "/usr/bin/env", ["-C", directory] + prefix + arguments, input: .pipe(input), output: .pipe(output),
      survivesGroup: true)
    self.input = input.writingEnd
    // The shell writes a line when the server accepts connections, and closes its output.
    let response = try output.readingEnd.readToEnd()
    guard response.hasSuffix("ready\n") else {
      throw TestServerError(message: "PostgreSQL did not start: " + response)
    }
  }

  deinit {
    end()
  }

  /// Stops the server, and waits for its end.
  func end() {
    input.close()
    shell.wait()
  }

  /// Returns the directory of PostgreSQL's programs: the newest version of Debian's packages, or of the search path.
  private static func programs() throws -> String {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let packages = versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }
      .map { "/usr/lib/postgresql/\($0)/bin" }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let directories = packages + path.split(separator: ":").map(String.init)
    guard let directory = directories.first(where: { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") })
    else { throw TestServerError(message: "PostgreSQL is not installed; install the package postgresql") }
    return directory
  }

  private static let script = """
    trap '' INT TERM HUP
    cd "$1" || exit
    {
      "$2/initdb" -D data -U postgres -A trust -E UTF8 --locale=C --no-sync --no-instructions &&
      "$2/pg_ctl" start -D data -l log -w -t 120 -o "$3"
    } </dev/null >start 2>&1 && echo ready || cat start log
    exec >/dev/null 2>&1
    cat
    "$2/pg_ctl" stop -D data -m immediate -w -t 120
    cd / && rm -rf "$1"
    """
}
#endif
