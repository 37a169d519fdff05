import NIOCore
import Synchronization

/// The open connections of a server's listeners for ttrpc.
final class ConnectionSet: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isDraining = false
  }

  private let state = Mutex(State())

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
      // Whichever is first: all closed by themselves, or the time is over.
      await group.next()
      group.cancelAll()
      for channel in channels { channel.close(promise: nil) }
    }
  }
}
