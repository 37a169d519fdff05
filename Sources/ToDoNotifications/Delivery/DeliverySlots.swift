import ToDoModel
import ToDoSupport

/// Limits the number of lists that send reminders at the same time: in all, and of one user, whose targets may be slow. Users who
/// wait take turns.
typealias DeliverySlots = TaskTurns<OwnerID>

extension DeliverySlots {
  /// - Parameters:
  ///   - count: the number of slots.
  ///   - userLimit: the maximum number of slots that one user has.
  convenience init(_ count: Int, userLimit: Int) {
    self.init(limit: count, ownerLimit: userLimit)
  }
}
