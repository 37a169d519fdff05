import Testing
import ToDoRPC
import ToDoTTRPC
import ToDoTestServers
import ToDoTestSupport

/// Requests with invalid stream IDs, types and flags, sent to a server that listens.
@Suite(.timeLimited) struct RequestFrameTests: FramingSuite {
  let methods = TestMethods()

  // MARK: Stream IDs

  @Test(arguments: [0, 2, UInt32.max - 1])
  func request_whenStreamIDIsEven_isRejectedWithoutRunning(_ id: UInt32) async throws {
    try await withClient { client in
      let answer = try await client.response(to: .request(id, "Say", "even"))
      try expectError(answer, on: id, .invalidArgument, "INVALID_STREAM")
      #expect(methods.journal.count("started even") == 0)
      try await expectService(client, 1)
    }
  }

  @Test func request_whenStreamIsInFlight_closesConnection_andCancelsCall() async throws {
    try await withClient { client in
      try await client.write(.request(1, "Hold", "first"))
      try await methods.journal.wait(for: "started first")
      try await client.write(.request(1, "Say", "second"))
      #expect(try await client.framesUntilClosed() == [])
      try await methods.journal.wait(for: "cancelled first")
      #expect(methods.journal.count("started second") == 0)
    }
  }

  @Test(arguments: [1, 1025, 2049])
  func request_whenStreamIDIsUsedOrTooLow_isRejectedWithoutRunning(_ id: UInt32) async throws {
    try await withClient { client in
      for used in [1025, 2049, 2051] as [UInt32] { try await expectService(client, used) }
      let answer = try await client.response(to: .request(id, "Say", "again"))
      try expectError(answer, on: id, .invalidArgument, "INVALID_STREAM")
      #expect(methods.journal.count("started again") == 0)
      try await expectService(client, 2053)
    }
  }

  @Test func requests_whenStreamIDsAreReordered_areServed() async throws {
    try await withClient { client in
      for id in [1025, 1, 1023, 3, 1027, 5] as [UInt32] { try await expectService(client, id) }
    }
  }

  @Test func request_withMaximumStreamID_isServed_andFirstIDIsThenTooLow() async throws {
    try await withClient { client in
      try await expectService(client, .max)
      try expectError(
        try await client.response(to: .request(1, "Say", "after")), on: 1, .invalidArgument, "INVALID_STREAM")
    }
  }

  // MARK: Types and flags

  @Test(arguments: [0, 4, 0x7F, 0xFF] as [UInt8])
  func frame_whenTypeIsUnknown_isSkipped(_ type: UInt8) async throws {
    try await withClient { client async throws in
      for id in [0, 1, 2, 7] as [UInt32] {
        try await client.write(RawFrame(type, id: id, flags: 0xFF, Array("what comes later".utf8)))
      }
      try await expectService(client, 1)
    }
  }

  @Test func response_fromClient_closesConnection() async throws {
    try await withClient { client in
      try await client.write(RawFrame(2, id: 1))
      #expect(try await client.framesUntilClosed() == [])
    }
  }

  @Test(arguments: [3, 4, 5, 6, 7, 8, 0x80, 0xFF] as [UInt8], ["Say", "Count"])
  func request_whenFlagsAreInvalid_isRejectedWithoutRunning(_ flags: UInt8, _ method: String) async throws {
    try await withClient { client in
      let answer = try await client.response(to: .request(1, method, "1", flags: flags))
      try expectError(answer, on: 1, .invalidArgument, "INVALID_STREAM")
      #expect(methods.journal.count("started 1") == 0)
      try await expectService(client, 3)
    }
  }

  @Test(arguments: [("Say", 2), ("Count", 0)] as [(String, UInt8)])
  func request_whenFlagsDoNotFitMethod_isRejectedWithoutRunning(_ method: String, _ flags: UInt8) async throws {
    try await withClient { client in
      let answer = try await client.response(to: .request(1, method, "1", flags: flags))
      try expectError(answer, on: 1, .invalidArgument, "INVALID_STREAM")
      #expect(methods.journal.count("started 1") == 0)
      try await expectService(client, 3)
    }
  }
}
