import TTRPC
import TTRPCTransport
import TestSupport
import Testing
import ToDoProtocol

/// Streams of a client's connection, against a server that listens.
@Suite(.timeLimit(.minutes(15))) struct StreamTests {
  private let methods = TestMethods()

  private func withConnection(
    _ configuration: ClientConfiguration = ClientConfiguration(),
    _ body: (ClientConnection, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.with(methods.table) { server in
      let connection = try await server.connect(configuration)
      do {
        try await body(connection, server)
        await connection.close()
      } catch {
        await connection.close()
        throw error
      }
    }
  }

  private func texts(_ stream: ResponseStream<String>) async throws -> [String] {
    try await stream.reduce(into: []) { $0.append($1) }
  }

  // MARK: From the server

  @Test(arguments: [0, 1, 33, 2000])
  func aStream_bringsEveryMessageInOrder_andEnds(_ count: Int) async throws {
    try await withConnection { connection, _ async throws in
      #expect(try await texts(connection.stream("Count", "\(count)")) == (0..<count).map(String.init))
    }
  }

  @Test func aStreamThatFails_bringsItsMessagesFirst() async throws {
    try await withConnection { connection, _ async throws in
      var messages: [String] = []
      let error = await #expect(throws: RPCError.self) {
        for try await message in try connection.stream("CountAndBreak", "5") { messages.append(message) }
      }
      #expect(messages == ["0", "1", "2", "3", "4"])
      #expect(error == .internal)
    }
  }

  @Test func aStreamThatIsRefused_bringsTheError() async throws {
    try await withConnection { connection, _ async throws in
      for method in ["Sing", "Say"] {
        let stream = try connection.stream(method, "")
        if method == "Say" {
          // A unary method answers a request that is closed like any other.
          #expect(try await texts(stream).count <= 1)
        } else {
          let error = await #expect(throws: RPCError.self) { try await texts(stream) }
          #expect(error?.code == .unimplemented)
        }
      }
    }
  }

  @Test func aSlowConsumer_missesNothing() async throws {
    try await withConnection { connection, _ async throws in
      var iterator = try connection.stream("Count", "20000").makeAsyncIterator()
      #expect(try await iterator.next() == "0")
      // Others are served meanwhile, on other connections.
      for _ in 0..<10 {
        try await TestServer.with(methods.table) { server in
          try await RawClient.with(server.endpoint) { _ = try await $0.answer(to: .request(1, "Say", "")) }
        }
      }
      var expected = 1
      while let message = try await iterator.next() {
        #expect(message == "\(expected)")
        expected += 1
      }
      #expect(expected == 20_000)
    }
  }

  @Test func aSlowConsumer_missesNothing_whenTheServerIsGone() async throws {
    try await withConnection { connection, server async throws in
      var iterator = try connection.stream("Count", "1000").makeAsyncIterator()
      #expect(try await iterator.next() == "0")
      try await methods.journal.wait(for: "finished 1000")
      await server.listener.shutDown(grace: .seconds(20))
      try await connection.waitUntilClosed()
      var count = 1
      while try await iterator.next() != nil { count += 1 }
      #expect(count == 1000)
    }
  }

  // MARK: Ending early

  @Test(arguments: ["CountAndHold", "Flood"])
  func leavingTheLoop_cancelsTheServersHandler(_ method: String) async throws {
    try await withConnection { connection, _ async throws in
      for try await _ in try connection.stream(method, "10") { break }
      try await methods.journal.wait(for: "cancelled 10")
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func leavingTheLoop_whileTheServerWaitsForIt_cancelsTheServersHandler() async throws {
    try await withConnection { connection, _ async throws in
      for try await _ in try connection.stream("Flood", "10000") {
        try await methods.journal.wait(for: "sent", count: 200)
        break
      }
      try await methods.journal.wait(for: "cancelled 10000")
      #expect(try await connection.call("Say", "next", timeout: .seconds(20)) == "next")
    }
  }

  @Test func aDeadlineOfAnUnreadStream_holdsTheConnectionUpNoLonger() async throws {
    try await withConnection { connection, _ async throws in
      let stream = try connection.stream("Flood", "10000", timeout: .milliseconds(300))
      try await methods.journal.wait(for: "cancelled 10000")
      #expect(try await connection.call("Say", "next", timeout: .seconds(20)) == "next")
      let error = await #expect(throws: RPCError.self) { for try await _ in stream {} }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test func aStreamThatNobodyReads_isCancelled() async throws {
    try await withConnection { connection, _ async throws in
      _ = try connection.stream("CountAndHold", "0")
      #expect(try await connection.call("Say", "next") == "next")
      if methods.journal.count("started 0") > 0 { try await methods.journal.wait(for: "cancelled 0") }
    }
  }

  @Test func cancellingTheConsumer_cancelsTheServersHandler() async throws {
    try await withConnection { connection, _ async throws in
      let task = Task { try await texts(connection.stream("CountAndHold", "0")) }
      try await methods.journal.wait(for: "started 0")
      task.cancel()
      try await methods.journal.wait(for: "cancelled 0")
      _ = try? await task.value
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func aDeadline_endsTheStream_andCancelsTheServersHandler() async throws {
    try await withConnection { connection, _ async throws in
      let error = await #expect(throws: RPCError.self) {
        try await texts(connection.stream("CountAndHold", "3", timeout: .milliseconds(20)))
      }
      #expect(error?.code == .deadlineExceeded)
      try await methods.journal.wait(for: "cancelled 3")
    }
  }

  @Test func aMessageThatCannotBeDecoded_endsTheStream_andCancelsTheServersHandler() async throws {
    try await withConnection { connection, _ async throws in
      let stream = try connection.stream(TestMethods.name("Flood"), TestMethods.message("10")) { _, _ -> Int in
        throw DecodingFailure.malformed
      }
      let error = await #expect(throws: RPCError.self) { for try await _ in stream {} }
      #expect(error?.reason == "MALFORMED_RESPONSE")
      try await methods.journal.wait(for: "cancelled 10")
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func aMessageBeyondTheClientsLimit_endsTheStream_andCancelsTheServersHandler() async throws {
    var configuration = ClientConfiguration()
    configuration.maximumFrameLength = 1000
    try await withConnection(configuration) { connection, _ async throws in
      let error = await #expect(throws: RPCError.self) { try await texts(connection.stream("Flood", "2000")) }
      #expect(error?.reason == "MESSAGE_TOO_LARGE")
      try await methods.journal.wait(for: "cancelled 2000")
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func anAnswerBeyondTheClientsLimit_isAnError_andTheConnectionLives() async throws {
    var configuration = ClientConfiguration()
    configuration.maximumFrameLength = 1000
    try await withConnection(configuration) { connection, _ async throws in
      let error = await #expect(throws: RPCError.self) { try await connection.call("Large", "2000") }
      #expect(error?.reason == "MESSAGE_TOO_LARGE" && error?.isUnsent == false)
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func aRequestBeyondTheLimit_isNotSent() async throws {
    try await withConnection { connection, _ async throws in
      let text = String(repeating: "x", count: FrameHeader.maximumLength)
      let error = await #expect(throws: RPCError.self) { try await connection.call("Say", text) }
      #expect(error?.reason == "MESSAGE_TOO_LARGE" && error?.isUnsent == true)
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func callsBeyondTheLimit_areRefused_unsent() async throws {
    var configuration = ClientConfiguration()
    configuration.maximumCalls = 1
    try await withConnection(configuration) { connection, _ async throws in
      let held = Task { try await connection.call("Hold", "held") }
      try await methods.journal.wait(for: "started held")
      let error = await #expect(throws: RPCError.self) { try await connection.call("Say", "one more") }
      #expect(error?.code == .resourceExhausted && error?.isUnsent == true)
      methods.gate.open()
      #expect(try await held.value == "held")
    }
  }

  @Test func aTimeoutBeyondMeasure_isNone() async throws {
    try await withConnection { connection, _ async throws in
      #expect(try await connection.call("Say", "patient", timeout: .seconds(Int64.max)) == "patient")
    }
  }

  // MARK: Both ways

  @Test func anExchange_bringsMessagesBothWays_untilTheClientHasFinished() async throws {
    try await withConnection { connection, _ async throws in
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

  @Test func manyMessagesBothWays_keepTheirOrder() async throws {
    try await withConnection { connection, _ async throws in
      let exchange = try connection.exchange("Echo", "")
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
          for number in 0..<5000 { try await exchange.send(TestMethods.message("\(number)")) }
          try await exchange.finish()
        }
        #expect(try await texts(exchange.responses) == (0..<5000).map(String.init))
        try await group.waitForAll()
      }
    }
  }

  @Test func aMessageBeyondTheLimit_endsTheExchange_andTheConnectionLives() async throws {
    try await withConnection { connection, _ async throws in
      let exchange = try connection.exchange("Collect", "c")
      try await methods.journal.wait(for: "started c")
      // So long that its first byte would not be 0.
      let text = String(repeating: "x", count: 17 << 20)
      let error = await #expect(throws: RPCError.self) { try await exchange.send(TestMethods.message(text)) }
      #expect(error?.reason == "MESSAGE_TOO_LARGE")
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func sending_waitsForAServerThatDoesNotRead() async throws {
    try await withConnection { connection, _ async throws in
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
          try await RawClient.with(server.endpoint) { _ = try await $0.answer(to: .request(1, "Say", "")) }
        }
      }
      #expect(journal.count("sent") < 500)
      methods.gate.open()
      #expect(try await texts(exchange.responses) == ["1000"])
      try await sender.value
    }
  }

  @Test func sendingOnAnExchangeThatHasEnded_isAnError() async throws {
    try await withConnection { connection, _ async throws in
      let exchange = try connection.exchange("CountAndBreak", "0")
      await #expect(throws: RPCError.self) { try await texts(exchange.responses) }
      await #expect(throws: RPCError.self) { try await exchange.send(TestMethods.message("late")) }
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func aSenderThatWaits_isWokenWhenItsExchangeEnds() async throws {
    try await withConnection { connection, _ async throws in
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
