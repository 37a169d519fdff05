import NIOCore
import Synchronization

/// The open connections of a server's ttrpc listeners. Callable from any thread.
final class ConnectionSet: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isDraining = false
  }

  private let state = Mutex(State())

  /// Adds a connection until it is closed.
  func insert(_ channel: any Channel) {
    let isDraining = state.withLock {
      $0.channels[ObjectIdentifier(channel)] = channel
      return $0.isDraining
    }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { _ = $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
    }
    if isDraining { channel.pipeline.fireUserInboundEventTriggered(DrainEvent()) }
  }

  /// Closes every connection when its calls in flight have ended, or when the grace period is over.
  func drain(grace: Duration) async {
    let channels = state.withLock {
      $0.isDraining = true
      return Array($0.channels.values)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(DrainEvent()) }
    await withTaskGroup { group in
      group.addTask {
        for channel in channels { try? await channel.closeFuture.get() }
      }
      group.addTask {
        try? await Task.sleep(for: grace)
        for channel in channels { channel.close(promise: nil) }
      }
      // Resumes when every connection has closed, or when the grace period is over.
      await group.next()
      group.cancelAll()
      for channel in channels { channel.close(promise: nil) }
    }
  }
}
