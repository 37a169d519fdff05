/// A request on its way.
struct InFlightRequest: Equatable {
  var operation: Operation
  var due: Nanoseconds
  var sent: Nanoseconds
  var isMeasured: Bool
  /// Which of the run's items it is about; for `add`, which it makes.
  var item: Int
}
