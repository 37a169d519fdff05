import ToDoTestProcesses

/// A completed run of curl, which speaks to a server as scripts do.
package struct CurlRun: Sendable {
  /// The exit status of curl.
  package let exitStatus: Int32
  /// The heads and bodies of all responses.
  package let output: String

  /// Runs curl, which writes the head and the body of each response.
  ///
  /// - Parameter input: the text of standard input, for `--data-binary @-`.
  package init(_ arguments: [String], input: String = "") throws {
    let output = try ProcessPipe()
    let process = try SpawnedProcess(
      "/usr/bin/curl", ["--silent", "--show-error", "--include", "--no-buffer"] + arguments,
      input: .file(StreamFile(text: input)), output: .pipe(output), error: .null)
    self.output = try output.readingEnd.readToEnd()
    exitStatus = process.wait().status
  }

  /// The HTTP status of the last response; 0 if there is none.
  package var status: Int {
    let line = output.split(separator: "\r\n").last { $0.hasPrefix("HTTP/") }
    return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  }

  /// The body of the last response.
  package var body: String {
    guard let start = output.ranges(of: "\r\n\r\n").last?.upperBound else { return "" }
    return String(output[start...])
  }
}
