import Testing
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport

/// The limits of calls in flight and of responses, against a server that listens.
@Suite(.timeLimited) struct CallCapacityTests: CallSuite {
  let methods = TestMethods()

  // MARK: Errors

  @Test func error_whenUnexpected_isInternalWithoutDetails() async throws {
    try await withClient { client in
      let error = try #require(try await client.response(to: .request(1, "Break", "")).error)
      #expect(error == .internal)
    }
  }

  @Test func response_whenAboveConfiguredLimit_isReplacedByError() async throws {
    try await withClient(limit: 1000) { client in
      let answer = try await client.response(to: .request(1, "Large", "1001"))
      #expect(try answer.id == 1 && answer.error?.reason == "MESSAGE_TOO_LARGE")
      #expect(try answer.error?.metadata == ["max_bytes": "1000"])
      #expect(try await client.response(to: .request(3, "Large", "900")).text?.count == 900)
    }
  }

  @Test func response_whenAboveProtocolLimit_isReplacedByError() async throws {
    try await withClient { client in
      let answer = try await client.response(to: .request(1, "Large", "\(FrameHeader.maximumLength)"))
      #expect(try answer.id == 1 && answer.error?.reason == "MESSAGE_TOO_LARGE")
      #expect(try await client.response(to: .request(3, "Say", "next")).text == "next")
    }
  }

  @Test(arguments: [900, 1000, 5000])
  func error_whenAboveLimit_isShortened_andKeepsReason(_ size: Int) async throws {
    try await withClient(limit: 1000) { client in
      let answer = try await client.response(to: .request(1, "Refuse", "\(size)"))
      #expect(try answer.error?.code == .aborted && answer.error?.reason == "REFUSED")
      #expect(answer.data.count <= 1000)
      #expect(try await client.response(to: .request(3, "Say", "next")).text == "next")
    }
  }

  // MARK: Limits

  @Test func connection_whenAtCallLimit_pausesReading_untilCallEnds() async throws {
    try await withServer(streams: 4) { server in
      try await RawClient.with(server.endpoint) { client in
        for id in [1, 3, 5, 7] as [UInt32] { try await client.write(.request(id, "Hold", "\(id)")) }
        for id in [1, 3, 5, 7] { try await methods.journal.wait(for: "started \(id)") }
        // Far more than one read returns.
        let ids = (0..<5000).map { UInt32(2 * $0 + 9) }
        client.writeWithoutWaiting(ids.flatMap { RawFrame.request($0, "Say", "\($0)").bytes })
        // Other connections are served many times before this one.
        try await RawClient.with(server.endpoint) { other in
          for id in 0..<100 { _ = try await other.response(to: .request(UInt32(2 * id + 1), "Say", "other")) }
        }
        #expect(methods.journal.count("started 9") == 0)
        methods.gate.open()
        var answered = Set<UInt32>()
        for _ in 0..<(4 + ids.count) { answered.insert(try await client.frame().id) }
        #expect(answered == Set([1, 3, 5, 7] + ids))
      }
    }
  }

  @Test func connection_whenAtCallLimit_doesNotDelayOthers() async throws {
    try await withServer(streams: 2) { server in
      try await RawClient.with(server.endpoint) { full in
        try await full.write(.request(1, "Hold", "1"), .request(3, "Hold", "3"), .request(5, "Say", "5"))
        try await methods.journal.wait(for: "started 3")
        try await RawClient.with(server.endpoint) { other async throws in
          #expect(try await other.response(to: .request(1, "Say", "other")).text == "other")
        }
        #expect(methods.journal.count("started 5") == 0)
        methods.gate.open()
        let ids = Set([try await full.frame().id, try await full.frame().id, try await full.frame().id])
        #expect(ids == [1, 3, 5])
      }
    }
  }

  @Test func call_whenEndedEarly_countsUntilHandlerFinishes() async throws {
    try await withClient(streams: 1) { client in
      let answer = try await client.response(to: .request(1, "HoldStubbornly", "s", timeout: 1_000_000))
      #expect(try answer.error?.code == .deadlineExceeded)
      try await client.write(.request(3, "Say", "next"))
      #expect(methods.journal.count("started next") == 0)
      methods.gate.open()
      #expect(try await client.frame().text == "next")
      #expect(methods.journal.happened("cancelled s", before: "started next"))
    }
  }

  @Test func disconnection_whenAtCallLimit_cancelsHandlers() async throws {
    try await withServer(streams: 2) { server in
      let client = try await RawClient.connect(to: server.endpoint)
      try await client.write(.request(1, "Hold", "a"), .request(3, "Hold", "b"), .request(5, "Say", "c"))
      try await methods.journal.wait(for: "started b")
      await client.close()
      try await methods.journal.wait(for: "cancelled a")
      try await methods.journal.wait(for: "cancelled b")
    }
  }
}
