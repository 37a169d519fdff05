import PrivateFiles
import TTRPC
import TTRPCTransport
import ToDoModel
import ToDoProtocol

/// What the program tells its caller with its exit status.
enum ProgramStatus: Int32, Equatable, Sendable {
  case success = 0
  /// A condition of `--fail-if` holds.
  case conditionHolds = 1
  case usage = 2
  /// The server was not reached, or went away.
  case unreachable = 5
  case notAllowed = 6
  /// None of the others.
  case failure = 7
  case interrupted = 130
}

extension ProgramStatus {
  /// What an error ends the program with.
  init(_ error: any Error) {
    self =
      switch error {
      case is UsageError, is TLSFileError: .usage
      case let error as PrivateFileError: error.isReadableByOthers ? .notAllowed : .usage
      case is CancellationError: .interrupted
      case let error as RPCError: Self(error.code)
      case let error as ToDoError: Self(error.codeAndReason.code)
      default: .failure
      }
  }

  private init(_ code: StatusCode) {
    self =
      switch code {
      case .unavailable, .deadlineExceeded: .unreachable
      case .permissionDenied, .unauthenticated, .failedPrecondition: .notAllowed
      default: .failure
      }
  }
}
