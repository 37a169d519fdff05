import MetricsTestKit
import NIOCore
import NIOEmbedded
import Testing
import ToDoRPC

@Suite struct ConnectionMetricsTests {
  private let metrics = TestMetrics()

  private func limiter(_ change: (inout ServerLimits) -> Void = { _ in }) -> ConnectionLimiter {
    var limits = ServerLimits()
    change(&limits)
    return ConnectionLimiter(limits, metrics: ConnectionMetrics(factory: metrics))
  }

  private func openCount(_ rpcProtocol: String) throws -> Double? {
    try metrics.expectMeter("rpc_server_connections_open", [("protocol", rpcProtocol)]).lastValue
  }

  private func count(_ name: String, _ dimension: String, _ value: String) throws -> Int64 {
    try metrics.expectCounter("rpc_server_connections_\(name)", [(dimension, value)]).totalValue
  }

  @Test func connections_areCountedByProtocolUntilTheyClose() throws {
    let limiter = limiter()
    let (ttrpc, grpc) = ((0..<2).map { _ in EmbeddedChannel() }, EmbeddedChannel())
    for channel in ttrpc { #expect(limiter.admit(channel, speaking: .ttrpc)) }
    #expect(limiter.admit(grpc, speaking: .grpc))
    #expect(try openCount("ttrpc") == 2)
    #expect(try openCount("grpc") == 1)
    _ = try ttrpc[0].finish()
    #expect(try openCount("ttrpc") == 1)
    #expect(try openCount("grpc") == 1)
    #expect(try count("accepted", "protocol", "ttrpc") == 2)
    #expect(try count("accepted", "protocol", "grpc") == 1)
    #expect(try count("rejected", "protocol", "ttrpc") == 0)
  }

  @Test func connection_whenServerIsFull_countsAsRejectedAndNotAsOpen() throws {
    let limiter = limiter { $0.maximumConnections = 1 }
    let (first, second) = (EmbeddedChannel(), EmbeddedChannel())
    #expect(limiter.admit(first, speaking: .grpc))
    #expect(!limiter.admit(second, speaking: .ttrpc))
    #expect(try count("rejected", "protocol", "ttrpc") == 1)
    #expect(try count("accepted", "protocol", "ttrpc") == 0)
    #expect(try count("rejected", "protocol", "grpc") == 0)
    _ = try second.finish()
    #expect(try openCount("ttrpc") == nil)
    _ = try first.finish()
  }

  @Test func connection_whenAnotherNeedsItsPlace_countsAsEvicted() throws {
    let limiter = limiter {
      $0.maximumConnections = 1
      $0.requiresAuthentication = true
    }
    let (first, second) = (EmbeddedChannel(), EmbeddedChannel())
    #expect(limiter.admit(first, speaking: .ttrpc))
    #expect(limiter.admit(second, speaking: .ttrpc))
    first.embeddedEventLoop.run()
    #expect(try count("evicted", "limit", "connections") == 1)
    #expect(try count("accepted", "protocol", "ttrpc") == 2)
    #expect(try openCount("ttrpc") == 1)
    _ = try second.finish()
  }

  @Test func connection_whenItDoesNotAuthenticate_countsAsEvicted() throws {
    let limiter = limiter { $0.requiresAuthentication = true }
    let channel = EmbeddedChannel()
    #expect(limiter.admit(channel, speaking: .ttrpc))
    channel.embeddedEventLoop.advanceTime(by: TimeAmount(ServerLimits().loginTime))
    #expect(try count("evicted", "limit", "login_time") == 1)
    #expect(try openCount("ttrpc") == 0)
  }

  @Test func connection_whenItBuffersTooMuch_countsAsEvicted() throws {
    let limiter = limiter { $0.maximumBufferedBytes = 1 << 20 }
    let channel = EmbeddedChannel()
    #expect(limiter.admit(channel, speaking: .ttrpc))
    limiter.account(of: channel).charge(2 << 20)
    channel.embeddedEventLoop.run()
    #expect(try count("evicted", "limit", "buffered_bytes") == 1)
    #expect(try openCount("ttrpc") == 0)
  }
}
