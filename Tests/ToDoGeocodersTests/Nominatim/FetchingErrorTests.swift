import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import Testing
import ToDoRules

@testable import ToDoGeocoders

@Suite struct FetchingErrorTests {
  @Test func init_whenClientTimesOut_isTimedOut() {
    let errors: [any Error] = [
      HTTPClientError.connectTimeout, HTTPClientError.readTimeout, HTTPClientError.tlsHandshakeTimeout,
      HTTPClientError.deadlineExceeded, HTTPClientError.getConnectionFromPoolTimeout,
      ChannelError.connectTimeout(.seconds(5)),
    ]
    for error in errors { #expect(GeocoderError(mapping: error) == .timedOut) }
  }

  @Test func init_whenResponseIsInvalid_isMalformedUnlessConnectionClosed() {
    #expect(
      GeocoderError(mapping: HTTPParserError.invalidStatus) == .malformedResponse(detail: "the response is not HTTP"))
    for error in [HTTPParserError.invalidEOFState, HTTPClientError.remoteConnectionClosed] as [any Error] {
      guard case .unavailable = GeocoderError(mapping: error) else {
        Issue.record("\(error) is mapped to \(GeocoderError(mapping: error))")
        continue
      }
    }
  }

  @Test func init_whenErrorIsOther_isUnavailableWithDetail() {
    struct Odd: Error, CustomStringConvertible { let description = "how odd" }
    #expect(GeocoderError(mapping: Odd()) == .unavailable(detail: "how odd"))
    #expect(GeocoderError(mapping: HTTPClientError.uncleanShutdown) == .unavailable(detail: "Unclean shutdown"))
    let error = IOError(errnoCode: 104, reason: "read")
    #expect(GeocoderError(mapping: error) == .unavailable(detail: "Connection reset by peer"))
  }
}
