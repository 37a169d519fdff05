#if GRPC
  import GRPCCore
  import TTRPC
  import TestSupport
  import Testing

  @testable import ToDoGRPC

  /// What gRPC's clients are told of an error.
  @Suite struct RPCErrorTests {
    private func details(_ error: GRPCCore.RPCError) throws -> TTRPC.RPCError? {
      let bytes = try #require(error.metadata[binaryValues: "grpc-status-details-bin"].first { _ in true })
      // A ttrpc response holds the same status.
      let arena = Arena()
      return try ProtobufBytes().field(1, bytes).bytes.withUnsafeBytes {
        try ResponseEnvelope(decoding: $0, in: arena).error(in: arena)
      }
    }

    @Test(arguments: StatusCode.allCases.filter { $0 != .ok }) func everyCode_isGRPCs(_ code: StatusCode) throws {
      let error = TTRPC.RPCError(
        code, reason: "REASON", domain: "domain", "message", metadata: ["key": "value"],
        violations: [TTRPC.RPCError.Violation(field: "field", reason: "reason")])
      let told = GRPCCore.RPCError(error)
      #expect(told.code.rawValue == Int(code.rawValue))
      #expect(told.message == "message")
      #expect(try details(told) == error)
    }

    @Test func anErrorThatSaysOK_isUnknown() {
      #expect(GRPCCore.RPCError(TTRPC.RPCError(.ok, reason: "", "")).code == .unknown)
    }

    @Test func manyViolations_areToldInPart() throws {
      let violations = (0..<1000).map {
        TTRPC.RPCError.Violation(field: "items[\($0)].title", reason: "must not be blank")
      }
      let error = TTRPC.RPCError(.invalidArgument, reason: "REASON", "message", violations: violations)
      let told = try #require(try details(GRPCCore.RPCError(error)))
      #expect(told.reason == "REASON" && told.message == "message")
      #expect(told.violations.count > 10 && told.violations == Array(violations.prefix(told.violations.count)))
    }

    @Test func longTexts_areCut() throws {
      let long = String(repeating: "π", count: 100_000)
      let error = TTRPC.RPCError(.aborted, reason: "REASON", long, metadata: ["key": long])
      let told = GRPCCore.RPCError(error)
      #expect(told.message == String(repeating: "π", count: 100))
      #expect(try details(told)?.reason == "REASON")
    }
  }
#endif
