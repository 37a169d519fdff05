import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// Peers and handlers that do not read. Buffers stay bounded, and other connections are served.
@Suite(.timeLimited) struct BackpressureTests {
  private let methods = TestMethods()

  private func expectService(_ server: TestServer) async throws {
    try await RawClient.with(server.endpoint) { other async throws in
      #expect(try await other.response(to: .request(1, "Say", "other")).text == "other")
    }
  }

  @Test func connection_whenClientNeverReads_pausesReading_andOthersAreServed() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint, isReading: false) { client in
        // The responses have 60 MB in total.
        let ids = (0..<60).map { UInt32(2 * $0 + 1) }
        try await client.write(ids.flatMap { RawFrame.request($0, "Large", "1000000").bytes })
        try await methods.journal.wait(for: "finished 1000000")
        for _ in 0..<20 { try await expectService(server) }
        // More than the socket buffers of both sides hold.
        #expect(methods.journal.count("started 1000000") < 40)

        try await client.startReading()
        for id in ids {
          let frame = try await client.frame()
          #expect(frame.id == id && frame.data.count > 1_000_000)
        }
      }
    }
  }

  @Test func stream_whenClientDoesNotRead_waits_andOthersAreServed() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint, isReading: false) { client in
        try await client.write(.request(1, "Flood", "100000", flags: 1))
        try await methods.journal.wait(for: "sent", count: 3)
        for _ in 0..<20 { try await expectService(server) }
        let sent = methods.journal.count("sent")
        #expect(sent < 500)

        try await client.startReading()
        try await methods.journal.wait(for: "sent", count: sent + 500)
      }
      try await methods.journal.wait(for: "cancelled 100000")
    }
  }

  @Test func stream_whenClientDoesNotRead_keepsNoWrittenMessage() async throws {
    var limits = ServerLimits.patient
    limits.outputLimit = 64 << 20
    try await TestServer.with(methods.table, configuration: limits) { server in
      try await RawClient.with(server.endpoint, isReading: false) { client async throws in
        try await client.write(.request(1, "SendTraced", "1000000", flags: 1))
        try await methods.journal.wait(for: "released", count: TestMethods.tracedMessages)
        #expect(methods.journal.count("sent") < TestMethods.tracedMessages)
      }
    }
  }

  @Test func stream_whenHandlerDoesNotRead_pausesClient_untilItReads() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint) { client in
        try await client.write(.request(1, "Collect", "c", flags: 2))
        try await methods.journal.wait(for: "started c")
        let messages = (0..<5000).map { RawFrame.data(1, "\($0)") } + [RawFrame(3, id: 1, flags: 5)]
        client.writeWithoutWaiting(messages.flatMap(\.bytes) + RawFrame.request(3, "Say", "behind").bytes)
        for _ in 0..<20 { try await expectService(server) }
        #expect(methods.journal.count("started behind") == 0)
        methods.gate.open()
        var texts: [UInt32: String] = [:]
        while texts.count < 2 {
          let frame = try await client.frame()
          if frame.flags == 0 { texts[frame.id] = try frame.text }
        }
        #expect(texts == [1: "5000", 3: "behind"])
      }
    }
  }

  @Test func stream_whenUnreadAndEnded_resumesConnection() async throws {
    try await TestServer.with(methods.table) { server in
      try await RawClient.with(server.endpoint) { client in
        try await client.write(.request(1, "CollectStubbornly", "c", flags: 2, timeout: 300_000_000))
        try await methods.journal.wait(for: "started c")
        let messages = (0..<5000).map { RawFrame.data(1, "\($0)") }
        client.writeWithoutWaiting(messages.flatMap(\.bytes) + RawFrame.request(3, "Say", "behind").bytes)
        #expect(try await client.frame().error?.code == .deadlineExceeded)
        #expect(try await client.frame().text == "behind")
        methods.gate.open()
      }
    }
  }
}
