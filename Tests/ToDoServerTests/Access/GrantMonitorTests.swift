import Testing
import ToDoModel
import ToDoRPC
import ToDoTestSupport

@testable import ToDoServer

/// What ends at the very instant at which credentials expire.
@Suite(.timeLimited) struct GrantMonitorTests {
  private let expiry = Timestamp.sample(60)
  private let before = Timestamp.sample(59)

  @Test func wakeExpired_atTheInstantOfExpiry_wakes() async {
    let (monitor, isWoken) = (GrantMonitor(), Condition(false))
    let waiter = Task { [expiry] in
      await monitor.waitForChange(after: 0, orExpiry: expiry)
      isWoken.change { $0 = true }
    }
    let checks = Task { [expiry] in
      while !Task.isCancelled {
        monitor.wakeExpired(at: expiry)
        await Task.yield()
      }
    }
    await isWoken.wait { $0 }
    checks.cancel()
    waiter.cancel()
  }

  @Test func takeExpired_atTheInstantOfExpiry_returnsTheConnection() {
    let (connections, connection) = (AuthenticatedConnections(), CallConnection(peer: Peer()))
    connections.insert(connection, expiresAt: expiry)
    #expect(connections.takeExpired(at: before).isEmpty)
    #expect(connections.takeExpired(at: expiry).count == 1)
    #expect(connections.takeExpired(at: expiry).isEmpty)
  }

  @Test func waitForChange_whenCancelled_removesItsWaiter() async {
    let monitor = GrantMonitor()
    let waiter = Task { await monitor.waitForChange(after: 0, orExpiry: nil) }
    await waitUntil("a task waits") { monitor.waiterCount == 1 }
    waiter.cancel()
    await waiter.value
    #expect(monitor.waiterCount == 0)
  }
}
