import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoSupport
import ToDoTransport

extension ExitStatus {
  /// A condition of `--fail-if` holds.
  static let conditionHolds = ExitStatus(rawValue: 1)
  /// A failure that no other status describes, as 1 stands for `conditionHolds`.
  static let otherFailure = ExitStatus(rawValue: 7)

  /// The status with which the program exits after an error.
  init(_ error: any Error) {
    self =
      switch error {
      case is UsageError, is TLSFileError: .usage
      case let error as PrivateFileError: error.isReadableByOthers ? .notAllowed : .usage
      case is CancellationError: .interrupted
      case let error as RPCError: Self(error.code)
      case let error as ToDoError: Self(error.codeAndReason.code)
      default: .otherFailure
      }
  }

  private init(_ code: StatusCode) {
    self =
      switch code {
      case .unavailable, .deadlineExceeded: .unreachable
      case .permissionDenied, .unauthenticated, .failedPrecondition: .notAllowed
      default: .otherFailure
      }
  }
}
