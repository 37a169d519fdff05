#if PostgreSQL
import CToDoLibPQ

/// Receives the notices of a connection, and stores only what affects a commit's outcome.
final class NoticeRecord {
  var commitIsUncertain = false

  /// Makes this the receiver of a connection, which must be closed before the record is released.
  func receiveNotices(of connection: OpaquePointer) {
    PQsetNoticeReceiver(
      connection,
      { record, notice in
        guard let record, let notice else { return }
        Unmanaged<NoticeRecord>.fromOpaque(record).takeUnretainedValue().receive(notice)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// The states that the warnings of a canceled wait for a synchronous standby have: `warning` and `admin_shutdown`.
  /// Few other warnings have them, and the message is localized.
  private static let uncertainStates: Set<String> = ["01000", "57P01"]

  private func receive(_ notice: OpaquePointer) {
    guard ResultField.severity.text(of: notice) == "WARNING", let state = ResultField.state.text(of: notice) else {
      return
    }
    if Self.uncertainStates.contains(state) { commitIsUncertain = true }
  }
}
#endif
