#if GRPC
import Synchronization

/// Whether a server is shutting down. Callable from any thread.
final class ShutdownFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }

  func set() { flag.store(true, ordering: .releasing) }
}
#endif
