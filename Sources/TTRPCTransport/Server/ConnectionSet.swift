import NIOCore
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The open connections of a server's listeners.
final class ConnectionSet: Sendable {
  private struct State {
    var count = 0
    var counts: [NetworkAddress: Int] = [:]
    var channels: [ObjectIdentifier: any Channel] = [:]
    var isDraining = false
  }

  private let state = Mutex(State())
  private let limit: Int
  private let limitPerAddress: Int

  init(limit: Int, limitPerAddress: Int) {
    self.limit = limit
    self.limitPerAddress = limitPerAddress
  }

  /// As many as this process may open files, less some for what else it opens.
  static var limitOfProcess: Int {
    var limit = rlimit()
    guard getrlimit(openFiles, &limit) == 0, let files = Int(exactly: limit.rlim_cur) else { return .max }
    return max(files - 64, files / 2)
  }

  #if canImport(Glibc)
    private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let openFiles = RLIMIT_NOFILE
  #endif

  /// Takes a place for a connection that was accepted, until it is closed.
  ///
  /// - Returns: whether there was one.
  func admit(_ channel: any Channel) -> Bool {
    let address = NetworkAddress(channel.remoteAddress)
    let isAdmitted = state.withLock { state in
      guard state.count < limit else { return false }
      if let address {
        guard state.counts[address, default: 0] < limitPerAddress else { return false }
        state.counts[address, default: 0] += 1
      }
      state.count += 1
      return true
    }
    if isAdmitted { channel.closeFuture.whenComplete { _ in self.free(address) } }
    return isAdmitted
  }

  private func free(_ address: NetworkAddress?) {
    state.withLock { state in
      state.count -= 1
      guard let address, let count = state.counts[address] else { return }
      state.counts[address] = count > 1 ? count - 1 : nil
    }
  }

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
