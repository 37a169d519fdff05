import ToDoModel

/// What a run has measured.
struct LoadOutcome: Sendable {
  let recorder: Recorder
  /// The items that the run has made.
  let ids: [ItemID]
  /// How long the measured part took: as long as planned, or until it was ended, and until the last answer.
  let elapsed: Nanoseconds
  /// When it ended, the last answers included.
  let end: Nanoseconds
  let ending: LoadReport.Ending
  /// In the measured part.
  let bytesReceived: Int
  let bytesSent: Int
}
