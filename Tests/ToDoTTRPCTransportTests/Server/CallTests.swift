import Testing
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport

/// Concurrent calls and their ends, against a server that listens.
@Suite(.timeLimited) struct CallTests: CallSuite {
  let methods = TestMethods()

  // MARK: Order

  @Test func call_whenAnotherIsSlow_isNotDelayed() async throws {
    try await withClient { client in
      try await client.write(.request(1, "Hold", "slow"), .request(3, "Say", "fast"))
      #expect(try await client.frame().id == 3)
      methods.gate.open()
      let slow = try await client.frame()
      #expect(try slow.id == 1 && slow.text == "slow")
    }
  }

  @Test func calls_whenMany_getOneResponseEachOnTheirStreams() async throws {
    try await withClient { client in
      let ids = (0..<1000).map { UInt32(2 * $0 + 1) }
      let frames = ids.map { RawFrame.request($0, $0 % 3 == 0 ? "Hold" : "Say", "\($0)") }
      try await client.write(frames.flatMap(\.bytes))
      methods.gate.open()
      var answers: [UInt32: String] = [:]
      for _ in ids {
        let frame = try await client.frame()
        #expect(answers.updateValue(try #require(try frame.text), forKey: frame.id) == nil)
      }
      #expect(answers == Dictionary(uniqueKeysWithValues: ids.map { ($0, "\($0)") }))
    }
  }

  // MARK: Deadlines

  @Test(arguments: [-1, .min])
  func deadline_whenAlreadyPassed_failsCallWithoutRunningMethod(_ timeout: Int64) async throws {
    try await withClient { client in
      let answer = try await client.response(to: .request(1, "Say", "late", timeout: timeout))
      #expect(try answer.error?.reason == "DEADLINE_EXCEEDED")
      #expect(methods.journal.events == [])
    }
  }

  @Test(arguments: [("Hold", 0), ("CountAndHold", 1)] as [(String, UInt8)])
  func deadline_whenItPasses_failsCall_andCancelsHandler(_ method: String, _ flags: UInt8) async throws {
    try await withClient { client in
      let answer = try await client.response(to: .request(1, method, "0", flags: flags, timeout: 1_000_000))
      #expect(try answer.id == 1 && answer.error?.code == .deadlineExceeded)
      try await methods.journal.wait(for: "cancelled 0")
    }
  }

  @Test(arguments: [Int64.max, Int64.max - 1, 1 << 62])
  func deadline_whenInFarFuture_hasNoEffect(_ timeout: Int64) async throws {
    try await withClient { client in
      try await client.write(.request(1, "Hold", "patient", timeout: timeout), .request(3, "Say", "other"))
      #expect(try await client.frame().id == 3)
      methods.gate.open()
      #expect(try await client.frame().text == "patient")
    }
  }

  @Test func deadline_whenHandlerIgnoresIt_sendsOneResponse() async throws {
    try await withClient { client in
      let answer = try await client.response(to: .request(1, "HoldStubbornly", "s", timeout: 1_000_000))
      #expect(try answer.error?.code == .deadlineExceeded)
      methods.gate.open()
      try await methods.journal.wait(for: "cancelled s")
      let next = try await client.response(to: .request(3, "Say", "next"))
      #expect(try next.id == 3 && next.text == "next")
    }
  }

  // MARK: Cancellation

  @Test(arguments: [("Hold", 0), ("CountAndHold", 1), ("Collect", 2)] as [(String, UInt8)])
  func cancelCall_cancelsHandler_andEndsBothCalls(_ method: String, _ flags: UInt8) async throws {
    try await withClient { client in
      try await client.write(.request(1, method, "0", flags: flags))
      try await methods.journal.wait(for: "started 0")
      let answer = try await client.response(to: .cancel(3, stream: 1))
      #expect(try answer.id == 1 && answer.error?.code == .cancelled)
      let confirmation = try await client.frame()
      #expect(try confirmation.id == 3 && confirmation.error == nil)
      try await methods.journal.wait(for: "cancelled 0")
    }
  }

  @Test(arguments: [0, 1, 2, 3, 5, 99, .max])
  func cancelCall_whenStreamIsNotInFlight_succeeds(_ stream: UInt32) async throws {
    try await withClient { client in
      _ = try await client.response(to: .request(1, "Say", "done"))
      let confirmation = try await client.response(to: .cancel(3, stream: stream))
      #expect(confirmation.id == 3)
      let next = try await client.response(to: .request(5, "Say", "next"))
      #expect(try next.id == 5 && next.text == "next")
    }
  }

  @Test func cancelCall_withMethod_cancelsOnlyItsCalls() async throws {
    try await withClient { client in
      for id in [1, 3] as [UInt32] {
        try await client.write(.request(id, "CountAndHold", "0", flags: 1))
      }
      try await client.write(.request(5, "Hold", "other"))
      try await methods.journal.wait(for: "started 0", count: 2)
      try await client.write(.cancel(7, method: "CountAndHold"), .cancel(9, method: "None"), .cancel(11, method: ""))
      var frames: [RawFrame] = []
      for _ in 0..<5 { frames.append(try await client.frame()) }
      #expect(Set(frames.prefix(2).map(\.id)) == [1, 3])
      #expect(try frames.prefix(2).allSatisfy { try $0.error?.code == .cancelled })
      #expect(frames.dropFirst(2).map(\.id) == [7, 9, 11])
      try await methods.journal.wait(for: "cancelled 0", count: 2)
      methods.gate.open()
      #expect(try await client.frame().text == "other")
    }
  }

  @Test func cancelCall_whenRepeated_endsCallOnce() async throws {
    try await withClient { client in
      try await client.write(.request(1, "HoldStubbornly", "s"))
      try await methods.journal.wait(for: "started s")
      try await client.write(.cancel(3, stream: 1), .cancel(5, stream: 1))
      let frames = [try await client.frame(), try await client.frame(), try await client.frame()]
      #expect(frames.map(\.id) == [1, 3, 5])
      methods.gate.open()
      #expect(try await client.response(to: .request(7, "Say", "next")).id == 7)
    }
  }

  @Test func disconnection_cancelsHandlers() async throws {
    try await withServer { server in
      let client = try await RawClient.connect(to: server.endpoint)
      try await client.write(
        .request(1, "Hold", "a"), .request(3, "CountAndHold", "0", flags: 1), .request(5, "Collect", "c", flags: 2),
        .request(7, "Flood", "1000", flags: 1))
      for text in ["a", "0", "c", "1000"] { try await methods.journal.wait(for: "started \(text)") }
      await client.close()
      for text in ["a", "0", "c", "1000"] { try await methods.journal.wait(for: "cancelled \(text)") }
    }
  }
}
