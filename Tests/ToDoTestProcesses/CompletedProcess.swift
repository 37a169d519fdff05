/// A process that has ended, with the texts that it wrote.
package struct CompletedProcess: Sendable {
  package let termination: SpawnedProcess.Termination
  package let output: String
  package let error: String

  /// Runs a program to its end. Blocks the thread.
  ///
  /// - Throws: `SystemError` with the program's path if it cannot be started.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil, input: String = ""
  ) throws {
    // A second pipe could fill up while the first is read.
    let (output, error) = (try ProcessPipe(), try StreamFile())
    let process = try SpawnedProcess(
      program, arguments, environment: environment, input: .file(try StreamFile(text: input)), output: .pipe(output),
      error: .file(error))
    self.output = try output.readingEnd.readToEnd()
    termination = process.wait()
    self.error = try error.text()
  }
}
