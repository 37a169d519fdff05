#if Nominatim
import ToDoTestSupport
import Testing
import ToDoHTTP
import ToDoModel
import ToDoRules

@testable import ToDoGeocoders

/// The geocoder without sockets, with a manual clock.
@Suite(.unitTimeLimited) struct NominatimGeocoderTests {
  private let clock = ManualClock()
  private let fetcher = StubFetcher()
  private let geocoder: NominatimGeocoder
  private let query = GeocodeQuery(address: "Barer Str. 27")

  init() throws {
    let url = try #require(NominatimURL("http://example.org"))
    var configuration = NominatimConfiguration(url: url, product: "todo/1")
    configuration.queueLimit = 2
    geocoder = NominatimGeocoder(configuration, fetcher: fetcher, clock: clock, wallClock: TestClock())
  }

  @Test func requests_areOneSecondApart() async throws {
    _ = try await geocoder.candidates(for: query)
    let second = Task { try await geocoder.candidates(for: query) }
    await clock.waitForSleepers()
    clock.advance(by: .milliseconds(999))
    #expect(fetcher.urls.count == 1)
    clock.advance(by: .milliseconds(1))
    #expect(try await second.value.count == 1)
    #expect(fetcher.urls.count == 2)
  }

  @Test func callers_whenOneIsCancelled_areServedInOrderWithoutDelay() async throws {
    _ = try await geocoder.candidates(for: query)
    let first = Task { try await geocoder.candidates(for: GeocodeQuery(address: "first")) }
    await clock.waitForSleepers()
    let second = Task { try await geocoder.candidates(for: GeocodeQuery(address: "second")) }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    #expect(try await second.value.count == 1)
    #expect(fetcher.urls.last?.contains("second") == true)
  }

  @Test func caller_whenQueued_canBeCancelled() async throws {
    _ = try await geocoder.candidates(for: query)
    let first = Task { try await geocoder.candidates(for: query) }
    await clock.waitForSleepers()
    let second = Task { try await geocoder.candidates(for: query) }
    for _ in 0..<100 { await Task.yield() }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    clock.advance(by: .seconds(1))
    #expect(try await first.value.count == 1)
  }

  @Test func callers_whenQueueIsFull_areRateLimited() async throws {
    _ = try await geocoder.candidates(for: query)
    let results = await withTaskGroup(of: Result<Int, any Error>.self) { group in
      for _ in 0..<5 {
        group.addTask {
          do { return .success(try await geocoder.candidates(for: query).count) } catch { return .failure(error) }
        }
      }
      var results: [Result<Int, any Error>] = []
      // Three are rejected before any time passes.
      while results.count < 3, let result = await group.next() { results.append(result) }
      while let result = await next(of: &group) { results.append(result) }
      return results
    }
    let rejections = results.compactMap { result -> GeocoderError? in
      if case .failure(let error as GeocoderError) = result { error } else { nil }
    }
    #expect(rejections == Array(repeating: .rateLimited(retryAfter: .seconds(1)), count: 3))
    #expect(fetcher.urls.count == 3)
  }

  private func next(of group: inout TaskGroup<Result<Int, any Error>>) async -> Result<Int, any Error>? {
    if group.isEmpty { return nil }
    await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    return await group.next()
  }

  @Test func retryAfter_blocksRequestsUntilItsTime() async throws {
    fetcher.setResponse(HTTPClientResponse(status: 429, retryAfter: "30"))
    await #expect(throws: GeocoderError.rateLimited(retryAfter: .seconds(30))) {
      try await geocoder.candidates(for: query)
    }
    fetcher.setResponse(HTTPClientResponse(status: 200, body: Array(NominatimSamples.house.utf8)))
    clock.advance(by: .seconds(29))
    await #expect(throws: GeocoderError.rateLimited(retryAfter: .seconds(1))) {
      try await geocoder.candidates(for: query)
    }
    #expect(fetcher.urls.count == 1)
    clock.advance(by: .seconds(1))
    #expect(try await geocoder.candidates(for: query).count == 1)
  }

  @Test func retryAfter_whenDate_blocksRequests() async throws {
    fetcher.setResponse(HTTPClientResponse(status: 503, retryAfter: "Thu, 01 Jan 2026 00:00:30 GMT"))
    await #expect(throws: GeocoderError.unavailable(detail: "the server returned HTTP status 503")) {
      try await geocoder.candidates(for: query)
    }
    await #expect(throws: GeocoderError.rateLimited(retryAfter: .seconds(30))) {
      try await geocoder.candidates(for: query)
    }
    #expect(fetcher.urls.count == 1)
  }

  @Test func redirects_arePacedAndLimited() async throws {
    fetcher.setResponse(HTTPClientResponse(status: 302, location: "/again"))
    let task = Task { try await geocoder.candidates(for: query) }
    for _ in 0..<3 {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
    }
    await #expect(throws: GeocoderError.unavailable(detail: "the server redirected more than 3 times")) {
      try await task.value
    }
    #expect(
      fetcher.urls.dropFirst() == [
        "http://example.org/again", "http://example.org/again", "http://example.org/again",
      ])
  }

  @Test(arguments: ["", " \n"])
  func candidates_whenAddressIsBlank_areEmptyWithoutRequest(_ address: String) async throws {
    #expect(try await geocoder.candidates(for: GeocodeQuery(address: address)) == [])
    #expect(fetcher.urls.isEmpty)
  }

  @Test func shutDown_closesTheConnections() async {
    await geocoder.shutDown()
    #expect(fetcher.isShutDown)
  }

  @Test func userAgent_whenContactHasControlCharacters_isPrintableASCII() throws {
    let url = try #require(NominatimURL("http://example.org"))
    #expect(NominatimConfiguration(url: url, product: "todo/1.0").userAgent == "todo/1.0")
    let odd = NominatimConfiguration(url: url, product: "todo/1.0", contact: "mé@example.org\r\nX: y")
    #expect(odd.userAgent == "todo/1.0 (m@example.orgX: y)")
  }

  @Test func owners_takeTurns() async throws {
    _ = try await geocoder.candidates(for: query)
    let busy = Task { try await geocoder.candidates(for: GeocodeQuery(address: "busy 1", owner: OwnerID("busy"))) }
    await clock.waitForSleepers()
    // This caller fills the queue of its owner, so the next one is rejected.
    let second = Task { try await geocoder.candidates(for: GeocodeQuery(address: "busy 2", owner: OwnerID("busy"))) }
    await geocoder.waitForQueuedCallers(2)
    await #expect(throws: GeocoderError.rateLimited(retryAfter: .seconds(1))) {
      try await geocoder.candidates(for: GeocodeQuery(address: "busy 3", owner: OwnerID("busy")))
    }
    let other = Task { try await geocoder.candidates(for: GeocodeQuery(address: "other", owner: OwnerID("other"))) }
    await geocoder.waitForQueuedCallers(3)
    for expected in ["busy", "other", "busy"] {
      let count = fetcher.urls.count
      await clock.waitForSleepers()
      clock.advance(by: .seconds(1))
      await waitUntil("another URL is fetched") { fetcher.urls.count > count }
      #expect(fetcher.urls.last?.contains(expected) == true)
    }
    for task in [busy, second, other] { #expect(try await task.value.count == 1) }
  }
}
#endif
