package import Logging
package import NIOCore
import Synchronization

/// How many connections a server has, and how much is buffered for them: on all its listeners together, whatever they
/// speak. Callable from any thread.
package final class ConnectionAdmission: Sendable {
  private struct State {
    var count = 0
    var counts: [NetworkAddress: Int] = [:]
  }

  let budget: BufferBudget
  private let state = Mutex(State())
  private let limit: Int
  private let limitPerAddress: Int

  package init(_ limits: ServerConfiguration) {
    budget = BufferBudget(limit: limits.maximumBufferedBytes)
    limit = min(limits.maximumConnections, Self.limitOfProcess)
    limitPerAddress = limits.maximumConnectionsPerAddress
  }

  /// What goes first into the pipeline of a listening channel, and lets in those for whom there is room.
  package func makeGate(_ logger: Logger) -> any ChannelHandler { AcceptGate(self, logger) }

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

  /// As many as this process may open files, less some for what else it opens.
  private static var limitOfProcess: Int {
    guard let files = DescriptorLimit.current else { return .max }
    return max(files - 64, files / 2)
  }
}
