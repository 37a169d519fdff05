import Testing
import ToDoProtocol
import ToDoRPC
import ToDoTTRPCTransport
import ToDoTestServers
import ToDoTestSupport

/// Calls that send and receive any number of messages.
@Suite(.timeLimited) struct ExchangeTests {
  private let methods = TestMethods()

  @Test func exchange_untilFinished_deliversMessagesBothWays() async throws {
    try await methods.withConnection { connection, _ async throws in
      let exchange = try connection.exchange("Echo", "")
      var iterator = exchange.responses.makeAsyncIterator()
      for text in ["a", "", "b\u{0}"] {
        try await exchange.send(TestMethods.message(text))
        #expect(try await iterator.next() == text)
      }
      try await exchange.finish()
      #expect(try await iterator.next() == nil)
      try await methods.journal.wait(for: "finished ")
    }
  }

  @Test func exchange_whenItHasManyMessages_keepsTheirOrder() async throws {
    try await methods.withConnection { connection, _ async throws in
      let exchange = try connection.exchange("Echo", "")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 0..<5000 { try await exchange.send(TestMethods.message("\(number)")) }
          try await exchange.finish()
        }
        #expect(try await exchange.responses.reduce(into: []) { $0.append($1) } == (0..<5000).map(String.init))
        try await group.waitForAll()
      }
    }
  }

  @Test func send_whenMessageExceedsTheLimit_endsTheExchangeAndKeepsTheConnection() async throws {
    try await methods.withConnection { connection, _ async throws in
      let exchange = try connection.exchange("Collect", "c")
      try await methods.journal.wait(for: "started c")
      // The message is so long that the first byte of its frame would not be 0.
      let text = String(repeating: "x", count: 17 << 20)
      let error = await #expect(throws: RPCError.self) { try await exchange.send(TestMethods.message(text)) }
      #expect(error?.reason == "MESSAGE_TOO_LARGE")
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func send_whenServerDoesNotRead_suspends() async throws {
    try await methods.withConnection { connection, _ async throws in
      let exchange = try connection.exchange("Collect", "c")
      try await methods.journal.wait(for: "started c")
      let journal = methods.journal
      let text = String(repeating: "x", count: 100_000)
      let sender = Task {
        for _ in 0..<1000 {
          try await exchange.send(TestMethods.message(text))
          journal.record("sent")
        }
        try await exchange.finish()
      }
      try await journal.wait(for: "sent", count: 3)
      for _ in 0..<20 {
        try await TestServer.with(methods.table) { server in
          try await RawClient.with(server.endpoint) { _ = try await $0.response(to: .request(1, "Say", "")) }
        }
      }
      #expect(journal.count("sent") < 500)
      methods.gate.open()
      #expect(try await exchange.responses.reduce(into: []) { $0.append($1) } == ["1000"])
      try await sender.value
    }
  }

  @Test func send_whenExchangeHasEnded_throws() async throws {
    try await methods.withConnection { connection, _ async throws in
      let exchange = try connection.exchange("CountAndBreak", "0")
      await #expect(throws: RPCError.self) { try await exchange.responses.reduce(into: []) { $0.append($1) } }
      await #expect(throws: RPCError.self) { try await exchange.send(TestMethods.message("late")) }
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func send_whenExchangeEndsWhileSuspended_throws() async throws {
    try await methods.withConnection { connection, _ async throws in
      let exchange = try connection.exchange("CollectStubbornly", "c", timeout: .milliseconds(300))
      try await methods.journal.wait(for: "started c")
      let text = String(repeating: "x", count: 100_000)
      await #expect(throws: RPCError.self) {
        while true { try await exchange.send(TestMethods.message(text)) }
      }
      methods.gate.open()
    }
  }
}
