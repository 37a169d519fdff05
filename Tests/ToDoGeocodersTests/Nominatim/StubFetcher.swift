#if Nominatim
import Synchronization
import ToDoHTTP

@testable import ToDoGeocoders

/// A fetcher that returns a fixed response without a socket, and records the requests.
final class StubFetcher: HTTPFetcher {
  private struct State {
    var response: HTTPClientResponse
    var urls: [String] = []
    var isShutDown = false
  }

  private let state: Mutex<State>

  init(_ response: HTTPClientResponse = HTTPClientResponse(status: 200, body: Array(NominatimSamples.house.utf8))) {
    state = Mutex(State(response: response))
  }

  var urls: [String] { state.withLock(\.urls) }
  var isShutDown: Bool { state.withLock(\.isShutDown) }

  func setResponse(_ response: HTTPClientResponse) { state.withLock { $0.response = response } }

  func get(_ url: String) async throws -> HTTPClientResponse {
    try Task.checkCancellation()
    return state.withLock { state in
      state.urls.append(url)
      return state.response
    }
  }

  func shutDown() async { state.withLock { $0.isShutDown = true } }
}
#endif
