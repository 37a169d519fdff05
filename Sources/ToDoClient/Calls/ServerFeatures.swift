import Synchronization
import ToDoModel
import ToDoRPC

/// What a server has said it supports. An earlier server would ignore the parts of requests that it does not know.
final class ServerFeatures: Sendable {
  /// The known `ItemFeatures`.
  private let known = Atomic<UInt16>(0)

  /// Checks that the server supports features.
  ///
  /// - Parameter info: describes the server. It is called unless the features are known.
  /// - Throws: `RPCError`, with the code `unimplemented` if the server does not support them; the errors of `info`.
  func require(_ needed: ItemFeatures, info: () async throws -> ServiceInfo) async throws {
    guard !ItemFeatures(rawValue: known.load(ordering: .relaxed)).isSuperset(of: needed) else { return }
    let supported = ItemFeatures(try await info().capabilities)
    known.store(supported.rawValue, ordering: .relaxed)
    for (feature, reason, name) in Self.optionalFeatures where needed.contains(feature) && !supported.contains(feature)
    {
      throw RPCError(.unimplemented, reason: reason, "the server does not support \(name); upgrade it")
    }
  }

  private static let optionalFeatures: [(ItemFeatures, reason: String, name: String)] = [
    (.marks, "TAGS_NOT_SUPPORTED", "tags and priorities"), (.steps, "STEPS_NOT_SUPPORTED", "steps"),
    (.waiting, "WAITING_NOT_SUPPORTED", "waiting"), (.repetition, "REPETITION_NOT_SUPPORTED", "repetition"),
    (.tagRenaming, "TAG_RENAMING_NOT_SUPPORTED", "renaming of tags"),
    (.combinedFilters, "COMBINED_FILTERS_NOT_SUPPORTED", "filters with texts or alternatives"),
    (.lists, "LISTS_NOT_SUPPORTED", "several lists"), (.moves, "MOVES_NOT_SUPPORTED", "moves between lists"),
    (.sharing, "SHARING_NOT_SUPPORTED", "sharing of lists"),
    (.reminders, "REMINDERS_NOT_SUPPORTED", "reminders"),
  ]
}
