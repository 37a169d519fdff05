import ArgumentParser
import ToDoSupport

extension ExitCode {
  /// Creates the error that makes ArgumentParser exit with a status, without printing a message.
  init(_ status: ExitStatus) {
    self.init(status.rawValue)
  }
}
