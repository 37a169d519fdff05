/// A request that was sent and has not completed.
struct InFlightRequest: Equatable {
  var operation: Operation
  var due: Nanoseconds
  var sent: Nanoseconds
  var isMeasured: Bool
  /// The index of the run's item that the request reads, checks or adds.
  var item: Int
}
