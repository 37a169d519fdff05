import Synchronization
import ToDoScreens

/// Stores drafts in a file, without making the loop wait for the disk. Only the latest draft counts.
final class DraftWriter: Sendable {
  private let file: DraftFile
  /// The draft to store. `nil` if the file is current.
  private let pending = Mutex<FormDraft??>(nil)
  /// The first failure. Locked while the file is written, so that an earlier draft does not replace a later one.
  private let failure = Mutex<Failure?>(nil)
  private let wakeUps: AsyncStream<Void>
  private let wakeUp: AsyncStream<Void>.Continuation

  init(_ file: DraftFile) {
    self.file = file
    (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Stores a draft soon, or deletes the file if there is no draft.
  func store(_ draft: FormDraft?) {
    pending.withLock { $0 = .some(draft) }
    wakeUp.yield()
  }

  /// Stores drafts until the task is canceled.
  func run() async {
    for await _ in wakeUps { _ = writePending() }
  }

  /// Stores the latest draft, if `run` has not stored it yet.
  ///
  /// - Returns: the first failure to store a draft.
  func writePending() -> Failure? {
    failure.withLock { failure in
      guard let draft = takePending() else { return failure }
      do { try file.store(draft) } catch { failure = failure ?? Failure(error) }
      return failure
    }
  }

  /// Stores the latest draft, and releases the file for other programs. `run` must have ended.
  ///
  /// - Returns: the first failure to store a draft.
  func close() -> Failure? {
    defer { file.close() }
    return writePending()
  }

  private func takePending() -> FormDraft?? {
    pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
  }
}
