import ToDoClient
import ToDoModel
import ToDoProtocol
import ToDoRPC
import ToDoStores
import ToDoSupport
import ToDoText
import ToDoTransport

extension Failure {
  /// Creates the failure that reports an error thrown by a service or a command.
  init(_ error: any Error) {
    switch error {
    case let failure as Failure: self = failure
    case let error as ToDoError: self.init(error)
    case let error as RPCError: self.init(error)
    case let error as SQLiteStoreError:
      self.init(code: .unavailable, reason: "STORE_UNAVAILABLE", message: error.description.escapingControls())
      switch error {
      case .notADatabase:
        details = ["Run 'todo doctor' to check it, or restore a backup with 'todo restore --from FILE'."]
      case .empty, .lost: details = ["'todo restore --from FILE' restores a backup."]
      default: break
      }
    case let error as DatabaseMaintenanceError:
      self.init(code: .unknown, reason: "BACKUP_FAILED", message: error.description.escapingControls())
    case let error as TLSFileError:
      self.init(code: .invalidArgument, reason: "TLS_FILE", message: error.description.escapingControls())
    case let error as PrivateFileError:
      self.init(code: .permissionDenied, reason: "PRIVATE_FILE", message: error.description.escapingControls())
    case let error as EditFormError: self = .usage(error.description, reason: "INVALID_FORM")
    case let error as InvalidText: self = .usage(error.description, reason: error.reason)
    case let error as DueDateError: self = .usage(error.description, reason: "INVALID_DUE")
    case is CancellationError: self.init(RPCError.cancelled)
    default: self.init(code: .unknown, reason: "UNKNOWN", message: "\(error)".escapingControls())
    }
  }

  private init(_ error: ToDoError) {
    let (code, reason) = error.codeAndReason
    switch error {
    case .invalidItem(let fields):
      self.init(code: code, reason: reason, message: "the item is not valid", fields: fields)
    case .invalidRequest(let fields):
      self.init(code: code, reason: reason, message: "the request is not valid", fields: fields)
    case .unauthenticated:
      self.init(
        code: code, reason: reason, message: error.description,
        details: ["Sign in with 'todo login' and a token from the operator of the server."])
    default:
      self.init(code: code, reason: reason, message: error.description.escapingControls())
    }
  }

  private init(_ error: RPCError) {
    self.init(
      code: error.code, reason: error.reason.isEmpty ? error.code.name : error.reason,
      message: error.message.escapingControls(),
      fields: error.violations.map { FieldViolation($0.field, $0.reason) })
  }
}
