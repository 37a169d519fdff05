import ToDoModel
import ToDoSupport

/// The permission to purge at once if the disk or the quota is full, which the user gives with '--permanently' or on request.
struct PermanentDeletion {
  private var isPermitted: Bool
  private var isPermanent = false
  private var removedCount = 0

  init(isPermitted: Bool) {
    self.isPermitted = isPermitted
  }

  /// Whether any deletion was permanent.
  var hasOccurred: Bool { isPermanent || removedCount > 0 }

  /// Performs a deletion. If it must be permanent, asks the user once.
  ///
  /// - Throws: `Failure` if the user cannot be asked; `ExitStatus` if the user refuses.
  mutating func perform<Result>(
    in session: Session, _ deletion: (_ permanentlyIfFull: Bool) async throws -> Result
  ) async throws -> Result {
    do { return try await deletion(isPermitted) } catch ToDoError.deletionMustBePermanent(let count, let limit) {
      try permit(ToDoError.deletionMustBePermanent(deletedCount: count, limitBytes: limit), count, limit, in: session)
      return try await deletion(true)
    }
  }

  private mutating func permit(_ error: ToDoError, _ count: Int, _ limit: Int?, in session: Session) throws {
    guard session.canPrompt else {
      var failure = Failure(error)
      failure.details = ["Free some space, or add '--permanently'."]
      throw failure
    }
    let full = limit == nil ? "The disk is full" : "The list has no room left"
    let trash = count > 0 ? ", and purges up to \(Self.text(count)) in the trash" : ""
    guard try session.confirm("\(full). Deleting can't be undone then\(trash). Continue?") else {
      session.printNotice("Nothing was deleted.")
      throw ExitStatus.failure
    }
    isPermitted = true
  }

  /// Adds the result of a deletion.
  mutating func add(isPermanent: Bool, removedCount: Int) {
    self.isPermanent = self.isPermanent || isPermanent
    self.removedCount += removedCount
  }

  /// The sentence that says what was purged, or `nil` if nothing was.
  var notice: String? {
    guard hasOccurred else { return nil }
    let trash = "\(Self.text(removedCount)) in the trash \(removedCount == 1 ? "was" : "were") purged to make room"
    if !isPermanent { return "\(trash)." }
    return removedCount > 0 ? "Purged at once; \(trash)." : "Purged at once, because there was no room."
  }

  private static func text(_ count: Int) -> String { "\(count) item\(count == 1 ? "" : "s")" }
}
