#if GRPC
  import Synchronization

  /// Whether a server shuts down.
  final class Drain: Sendable {
    private let isBegun = Atomic(false)

    var isDraining: Bool { isBegun.load(ordering: .acquiring) }

    func begin() { isBegun.store(true, ordering: .releasing) }
  }
#endif
