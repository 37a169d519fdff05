import TTRPC

/// A request that is over.
struct CompletedRequest: Equatable {
  var operation: Operation
  /// When the request was due, sent and answered.
  var due: Nanoseconds
  var sent: Nanoseconds
  var ended: Nanoseconds
  /// `ok`, or what it failed with.
  var code: StatusCode = .ok
}
