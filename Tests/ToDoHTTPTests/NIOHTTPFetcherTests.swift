#if Nominatim
import NIOSSL
import ToDoTestCertificates
import ToDoTestHTTP
import ToDoTestSupport
import Testing

@testable import ToDoHTTP

/// The HTTP client with real sockets.
@Suite(.timeLimited) struct NIOHTTPFetcherTests {
  private static let untrusted = HTTPError.unavailable(
    detail: "the TLS handshake failed; the certificate may not be trusted")

  private let clock = ManualClock()

  @Test func get_whenCancelled_throwsCancellationError() async throws {
    let fetcher = fetcher()
    try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: { server in
      let url = server.url
      let task = Task { try await fetcher.get(url) }
      await server.waitForRequests()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    await fetcher.shutDown()
  }

  /// A program may exit, or replace a geocoder, without an orderly shutdown.
  @Test func fetcher_whenReleasedAfterTimeout_doesNotTrap() async throws {
    try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: { server in
      let url = server.url
      weak var released: NIOHTTPFetcher?
      do {
        let fetcher = fetcher()
        released = fetcher
        let task = Task { [clock] in
          try await withDeadline(after: .seconds(10), clock: clock) { try await fetcher.get(url) }
        }
        await server.waitForRequests()
        await clock.waitForSleepers()
        clock.advance(by: .seconds(10))
        await #expect(throws: HTTPError.timedOut) { try await task.value }
      }
      await waitUntil("the fetcher is released") { released == nil }
    }
  }

  @Test func get_whenShutDown_ends() async throws {
    let fetcher = fetcher()
    try await LocalHTTPServer.with { _, _ in
      .stall()
    } _: { server in
      let url = server.url
      let task = Task { try await fetcher.get(url) }
      await server.waitForRequests()
      await fetcher.shutDown()
      await #expect(throws: HTTPError.shutDown) {
        try await task.value
      }
    }
  }

  @Test func get_overTLS_requiresTrustedCertificate() async throws {
    let directory = try TemporaryDirectory()
    let authority = try TestCertificates(in: directory.path)
    let other = try TestCertificates(in: directory.path, named: "Other authority")
    try await LocalHTTPServer.with(certificate: authority.server()) { _, _ in
      .response(body: "[]")
    } _: { server async throws in
      let url = server.url
      #expect(url.hasPrefix("https:"))
      #expect(try await fetcher(authority.authority).get(url).body == Array("[]".utf8))
      #expect(try await fetcher(authority.authority).get(url.replacing("127.0.0.1", with: "localhost")).status == 200)
      let error = Self.untrusted
      await #expect(throws: error) { try await fetcher(other.authority).get(url) }
      await #expect(throws: error) { try await fetcher().get(url) }
      let misnamed = url.replacing("127.0.0.1", with: "127.0.0.2")
      await #expect(throws: HTTPError.self) { try await fetcher(authority.authority).get(misnamed) }
    }
  }

  @Test func get_overTLS_whenServerSpeaksHTTP_isUnavailable() async throws {
    try await LocalHTTPServer.with { _, _ in
      .response(body: "[]")
    } _: { server in
      let url = server.url.replacing("http:", with: "https:")
      let error = Self.untrusted
      await #expect(throws: error) { try await fetcher().get(url) }
    }
  }

  /// Returns a fetcher that trusts the authorities in a file, or those of the system.
  private func fetcher(_ authorities: String? = nil) -> NIOHTTPFetcher {
    NIOHTTPFetcher(
      userAgent: "todo/1.0", limits: .init(connectTimeout: .seconds(5), bodySize: 100),
      trustRoots: authorities.map { .file($0) } ?? .default)
  }
}
#endif
