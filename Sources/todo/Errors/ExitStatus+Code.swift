import ToDoRPC
import ToDoSupport

extension ExitStatus {
  /// Creates the exit status for a failure with this code.
  init(_ code: StatusCode) {
    self =
      switch code {
      case .ok: .success
      case .invalidArgument, .outOfRange: .usage
      case .notFound: .notFound
      case .alreadyExists, .aborted, .failedPrecondition: .conflict
      case .unavailable, .deadlineExceeded: .unreachable
      case .permissionDenied, .unauthenticated: .notAllowed
      case .cancelled: .interrupted
      case .unknown, .resourceExhausted, .unimplemented, .internal, .dataLoss: .failure
      }
  }
}
