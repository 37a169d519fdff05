#if GRPC
import NIOHPACK
import ToDoRPC
import ToDoTestServers
import Testing
import ToDoTransport

@testable import ToDoGRPCTransport

/// The trailers of failed calls.
@Suite struct ResponseHeadersTests {
  private func size(_ trailers: HPACKHeaders) -> Int {
    trailers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
  }

  @Test(arguments: StatusCode.allCases.filter { $0 != .ok })
  func failure_hasCodeAndDetails(_ code: StatusCode) throws {
    let error = RPCError(
      code, reason: "REASON", domain: "domain", "100% “π”\n", metadata: ["key": "value"],
      violations: [RPCError.Violation(field: "field", reason: "reason")])
    let trailers = HPACKHeaders.failure(error)
    #expect(trailers.first(name: "grpc-status") == String(code.rawValue))
    #expect(trailers.first(name: "grpc-message") == "100%25 %E2%80%9C%CF%80%E2%80%9D%0A")
    #expect(try RPCError(trailers: trailers) == error)
  }

  @Test func failure_whenCodeIsOK_isUnknown() {
    #expect(HPACKHeaders.failure(RPCError(.ok, reason: "", "")).first(name: "grpc-status") == "2")
  }

  @Test func failure_whenEncodingIsUnsupported_namesOthers() {
    #expect(HPACKHeaders.failure(.unsupportedEncoding).first(name: "grpc-accept-encoding") == "identity,gzip")
  }

  @Test(arguments: [40, 100, 1000, 100_000])
  func failure_whenViolationsDoNotFit_keepsThoseThatFit_andCountsRest(_ count: Int) throws {
    let violations = (0..<count).map {
      RPCError.Violation(field: "items[\($0)].location.coordinate.latitude", reason: "must be from -90 to 90")
    }
    let message = violations.map { "\($0.field) \($0.reason)" }.joined(separator: "; ")
    let error = RPCError(.invalidArgument, reason: "REASON", message, violations: violations)
    let trailers = HPACKHeaders.failure(error)
    let received = try #require(try RPCError(trailers: trailers))
    #expect(received.reason == "REASON")
    #expect(received.message == String(message.prefix(200)) + "…")
    #expect(received.violations == Array(violations.prefix(received.violations.count)))
    #expect(size(trailers) <= 8 << 10)
    let omitted = count - received.violations.count
    #expect(received.metadata["omitted_violations"] == (omitted > 0 ? String(omitted) : nil))
    // As many violations as possible.
    #expect(omitted == 0 || size(trailers) > 7700)
    #expect(count > 40 || omitted == 0)
  }

  @Test func failure_whenMetadataDoesNotFit_keepsCodeAndReason() throws {
    let long = String(repeating: "π", count: 100_000)
    let error = RPCError(.aborted, reason: "REASON", long, metadata: ["key": long], retryAfter: .seconds(3))
    let trailers = HPACKHeaders.failure(error)
    let received = try #require(try RPCError(trailers: trailers))
    #expect(received.reason == "REASON" && received.retryAfter == .seconds(3))
    #expect(received.message == String(repeating: "π", count: 200) + "…")
    #expect(size(trailers) <= 8 << 10)
  }

  @Test(arguments: [[], [0], [1, 2], [1, 2, 3], [0xff, 0xfe, 0xfd, 0xfc]] as [[UInt8]])
  func base64_roundTrips(_ bytes: [UInt8]) {
    #expect(bytes.base64.decodedBase64 == bytes)
  }
}
#endif
