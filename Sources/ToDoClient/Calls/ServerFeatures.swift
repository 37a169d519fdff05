import Synchronization
import ToDoModel
import ToDoRPC

/// What a server has said it supports. An earlier server would ignore the parts of requests that it does not know.
final class ServerFeatures: Sendable {
  /// The known `ItemFeatures`.
  private let items = Atomic<UInt8>(0)
  /// Whether the server is known to have several lists for each user.
  private let lists = Atomic<Bool>(false)
  /// Whether the server is known to move items between lists.
  private let moves = Atomic<Bool>(false)

  /// Checks that the server supports features of items.
  ///
  /// - Parameter info: describes the server. It is called unless the features are known.
  /// - Throws: `RPCError`, with the code `unimplemented` if the server does not support them; the errors of `info`.
  func require(_ needed: ItemFeatures, info: () async throws -> ServiceInfo) async throws {
    guard !ItemFeatures(rawValue: items.load(ordering: .relaxed)).isSuperset(of: needed) else { return }
    let supported = ItemFeatures(try await update(info).capabilities)
    for (feature, reason, name) in Self.optionalFeatures where needed.contains(feature) && !supported.contains(feature)
    {
      throw Self.unsupported(name, reason: reason)
    }
  }

  /// Checks that the server has several lists for each user.
  ///
  /// - Parameter info: describes the server. It is called unless the lists are known.
  /// - Throws: `RPCError`, with the code `unimplemented` if the server does not; the errors of `info`.
  func requireLists(info: () async throws -> ServiceInfo) async throws {
    if lists.load(ordering: .relaxed) { return }
    guard try await update(info).capabilities.contains(.lists) else {
      throw Self.unsupported("several lists", reason: "LISTS_NOT_SUPPORTED")
    }
  }

  /// Checks that the server moves items between lists.
  ///
  /// - Parameter info: describes the server. It is called unless that is known.
  /// - Throws: `RPCError`, with the code `unimplemented` if the server does not; the errors of `info`.
  func requireMoves(info: () async throws -> ServiceInfo) async throws {
    if moves.load(ordering: .relaxed) { return }
    guard try await update(info).capabilities.contains(.moveItems) else {
      throw Self.unsupported("moves between lists", reason: "MOVES_NOT_SUPPORTED")
    }
  }

  private func update(_ info: () async throws -> ServiceInfo) async throws -> ServiceInfo {
    let info = try await info()
    items.store(ItemFeatures(info.capabilities).rawValue, ordering: .relaxed)
    lists.store(info.capabilities.contains(.lists), ordering: .relaxed)
    moves.store(info.capabilities.contains(.moveItems), ordering: .relaxed)
    return info
  }

  private static func unsupported(_ name: String, reason: String) -> RPCError {
    RPCError(.unimplemented, reason: reason, "the server does not support \(name); upgrade it")
  }

  private static let optionalFeatures: [(ItemFeatures, reason: String, name: String)] = [
    (.marks, "TAGS_NOT_SUPPORTED", "tags and priorities"), (.steps, "STEPS_NOT_SUPPORTED", "steps"),
    (.waiting, "WAITING_NOT_SUPPORTED", "waiting"), (.repetition, "REPETITION_NOT_SUPPORTED", "repetition"),
    (.tagRenaming, "TAG_RENAMING_NOT_SUPPORTED", "renaming of tags"),
    (.combinedFilters, "COMBINED_FILTERS_NOT_SUPPORTED", "filters with texts or alternatives"),
  ]
}
