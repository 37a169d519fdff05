import ToDoProtobuf

extension RPCError {
  /// Returns the error that a client receives for an error that ended its call. Errors of unknown types become
  /// `internal`; `LoggingInterceptor` logs them.
  package init(mapping error: any Error) {
    switch error {
    case let error as RPCError: self = error
    case let failure as DecodingFailure: self = RPCError(failure, of: "the request's message")
    case is CancellationError: self = .cancelled
    default: self = .internal
    }
  }
}
