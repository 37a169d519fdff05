import Synchronization
import ToDoModel
import ToDoRPC

/// The features that a server says it supports. An earlier server would ignore the parts of requests that it does not know.
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
    let missing = needed.subtracting(supported)
    guard let detail = ItemFeatures.details.first(where: { missing.contains($0.feature) }) else { return }
    throw RPCError(
      .unimplemented, reason: detail.reason, "the server does not support \(detail.name); upgrade it")
  }
}
