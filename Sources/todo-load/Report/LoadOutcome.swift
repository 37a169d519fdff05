import ToDoModel

/// The measurements of a run.
struct LoadOutcome: Sendable {
  let recorder: Recorder
  /// The IDs of items that exist or may exist because of the run.
  let ids: [ItemID]
  /// The length of the measured part: as planned or until it was stopped, and until the last request completed.
  let elapsed: Nanoseconds
  /// The time at which the run ended, after the last request completed.
  let end: Nanoseconds
  let ending: LoadReport.Ending
  /// The number of bytes in the measured part.
  let bytesReceived: Int
  let bytesSent: Int
}
