package import NIOCore
import Synchronization

/// The open connections of a listener. Callable from any thread.
package final class ConnectionSet: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isDraining = false
  }

  private let state = Mutex(State())

  /// Creates a set without connections.
  package init() {}

  /// Adds a connection until it is closed. After `drain`, the connection is closed immediately.
  package func insert(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let isInserted = state.withLock { state in
      guard !state.isDraining else { return false }
      state.channels[id] = channel
      return true
    }
    guard isInserted else { return channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { _ = $0.channels.removeValue(forKey: id) }
    }
  }

  /// Sends every connection a `ChannelShouldQuiesceEvent`, and returns when all are closed. Connections that are still open
  /// after the grace period are closed immediately.
  package func drain(grace: Duration) async {
    let channels = state.withLock { state in
      state.isDraining = true
      return Array(state.channels.values)
    }
    for channel in channels { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    await withTaskGroup { group in
      group.addTask {
        for channel in channels { try? await channel.closeFuture.get() }
      }
      group.addTask {
        try? await Task.sleep(for: grace)
      }
      // Resumes when every connection has closed, or when the grace period is over.
      await group.next()
      group.cancelAll()
      for channel in channels { channel.close(promise: nil) }
    }
  }
}
