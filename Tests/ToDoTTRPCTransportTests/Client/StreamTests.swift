import Testing
import ToDoProtobuf
import ToDoProtocol
import ToDoRPC
import ToDoTTRPC
import ToDoTTRPCTransport
import ToDoTestServers
import ToDoTestSupport

/// Streaming calls of a connection to a server.
@Suite(.timeLimited) struct StreamTests {
  private let methods = TestMethods()

  private func withConnection(
    _ configuration: ClientConfiguration = ClientConfiguration(),
    _ body: (ClientConnection, TestServer) async throws -> Void
  ) async throws {
    try await methods.withConnection(configuration, body)
  }

  private func texts(_ stream: ResponseStream<String>) async throws -> [String] {
    try await stream.reduce(into: []) { $0.append($1) }
  }

  // MARK: From the server

  @Test(arguments: [0, 1, 33, 2000])
  func stream_whenServerSendsMessages_deliversThemInOrder(_ count: Int) async throws {
    try await withConnection { connection, _ async throws in
      #expect(try await texts(connection.stream("Count", "\(count)")) == (0..<count).map(String.init))
    }
  }

  @Test func stream_whenItFails_deliversItsMessagesFirst() async throws {
    try await withConnection { connection, _ async throws in
      var messages: [String] = []
      let error = await #expect(throws: RPCError.self) {
        for try await message in try connection.stream("CountAndBreak", "5") { messages.append(message) }
      }
      #expect(messages == ["0", "1", "2", "3", "4"])
      #expect(error == .internal)
    }
  }

  @Test func stream_whenItIsRejected_throws() async throws {
    try await withConnection { connection, _ async throws in
      for method in ["Sing", "Say"] {
        let stream = try connection.stream(method, "")
        if method == "Say" {
          // A unary method responds to a closed stream request as to any other request.
          #expect(try await texts(stream).count <= 1)
        } else {
          let error = await #expect(throws: RPCError.self) { try await texts(stream) }
          #expect(error?.code == .unimplemented)
        }
      }
    }
  }

  @Test func stream_whenConsumerIsSlow_deliversAllMessages() async throws {
    try await withConnection { connection, _ async throws in
      var iterator = try connection.stream("Count", "20000").makeAsyncIterator()
      #expect(try await iterator.next() == "0")
      // The server serves other connections while the stream is paused.
      for _ in 0..<10 {
        try await TestServer.with(methods.table) { server in
          try await RawClient.with(server.endpoint) { _ = try await $0.response(to: .request(1, "Say", "")) }
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

  @Test func stream_whenServerShutsDown_deliversAllMessagesToASlowConsumer() async throws {
    try await withConnection { connection, server async throws in
      var iterator = try connection.stream("Count", "1000").makeAsyncIterator()
      #expect(try await iterator.next() == "0")
      try await methods.journal.wait(for: "finished 1000")
      await server.listener.shutDown(grace: .seconds(300))
      try await connection.waitUntilClosed()
      var count = 1
      while try await iterator.next() != nil { count += 1 }
      #expect(count == 1000)
    }
  }

  // MARK: Ending early

  @Test(arguments: ["CountAndHold", "Flood"])
  func stream_whenLoopEnds_cancelsTheHandler(_ method: String) async throws {
    try await withConnection { connection, _ async throws in
      for try await _ in try connection.stream(method, "10") { break }
      try await methods.journal.wait(for: "cancelled 10")
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func stream_whenLoopEndsWhileServerWaits_cancelsTheHandler() async throws {
    try await withConnection { connection, _ async throws in
      for try await _ in try connection.stream("Flood", "10000") {
        try await methods.journal.wait(for: "sent", count: 200)
        break
      }
      try await methods.journal.wait(for: "cancelled 10000")
      #expect(try await connection.call("Say", "next", timeout: .seconds(300)) == "next")
    }
  }

  @Test func stream_whenUnreadStreamExpires_unblocksTheConnection() async throws {
    try await withConnection { connection, _ async throws in
      let stream = try connection.stream("Flood", "10000", timeout: .milliseconds(300))
      try await methods.journal.wait(for: "cancelled 10000")
      #expect(try await connection.call("Say", "next", timeout: .seconds(300)) == "next")
      let error = await #expect(throws: RPCError.self) { for try await _ in stream {} }
      #expect(error?.code == .deadlineExceeded)
    }
  }

  @Test func stream_whenNotIterated_isCancelled() async throws {
    try await withConnection { connection, _ async throws in
      _ = try connection.stream("CountAndHold", "0")
      #expect(try await connection.call("Say", "next") == "next")
      if methods.journal.count("started 0") > 0 { try await methods.journal.wait(for: "cancelled 0") }
    }
  }

  @Test func stream_whenConsumerIsCancelled_cancelsTheHandler() async throws {
    try await withConnection { connection, _ async throws in
      let task = Task { try await texts(connection.stream("CountAndHold", "0")) }
      try await methods.journal.wait(for: "started 0")
      task.cancel()
      try await methods.journal.wait(for: "cancelled 0")
      _ = try? await task.value
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func stream_whenDeadlineExpires_cancelsTheHandler() async throws {
    try await withConnection { connection, _ async throws in
      let error = await #expect(throws: RPCError.self) {
        try await texts(connection.stream("CountAndHold", "3", timeout: .milliseconds(20)))
      }
      #expect(error?.code == .deadlineExceeded)
      try await methods.journal.wait(for: "cancelled 3")
    }
  }

  @Test func stream_whenMessageCannotBeDecoded_cancelsTheHandler() async throws {
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

  @Test func stream_whenMessageExceedsTheLimit_cancelsTheHandler() async throws {
    var configuration = ClientConfiguration()
    configuration.maximumFrameLength = 1000
    try await withConnection(configuration) { connection, _ async throws in
      let error = await #expect(throws: RPCError.self) { try await texts(connection.stream("Flood", "2000")) }
      #expect(error?.reason == "MESSAGE_TOO_LARGE")
      try await methods.journal.wait(for: "cancelled 2000")
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func call_whenResponseExceedsTheLimit_failsAndKeepsTheConnection() async throws {
    var configuration = ClientConfiguration()
    configuration.maximumFrameLength = 1000
    try await withConnection(configuration) { connection, _ async throws in
      let error = await #expect(throws: RPCError.self) { try await connection.call("Large", "2000") }
      #expect(error?.reason == "MESSAGE_TOO_LARGE" && error?.isUnsent == false)
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func call_whenRequestExceedsTheLimit_isNotSent() async throws {
    try await withConnection { connection, _ async throws in
      let text = String(repeating: "x", count: FrameHeader.maximumLength)
      let error = await #expect(throws: RPCError.self) { try await connection.call("Say", text) }
      #expect(error?.reason == "MESSAGE_TOO_LARGE" && error?.isUnsent == true)
      #expect(try await connection.call("Say", "next") == "next")
    }
  }

  @Test func call_whenTooManyAreInFlight_failsUnsent() async throws {
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

  @Test func call_whenTimeoutIsHuge_doesNotExpire() async throws {
    try await withConnection { connection, _ async throws in
      #expect(try await connection.call("Say", "patient", timeout: .seconds(Int64.max)) == "patient")
    }
  }
}

extension TestMethods {
  /// Provides a connection to a server that offers these methods.
  func withConnection(
    _ configuration: ClientConfiguration = ClientConfiguration(),
    _ body: (ClientConnection, TestServer) async throws -> Void
  ) async throws {
    try await TestServer.with(table) { server in
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
}
