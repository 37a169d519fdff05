import Synchronization

@testable import ToDoGeocoders

/// Answers requests without a socket, and remembers them.
final class StubFetcher: WebFetcher {
  private struct State {
    var reply: WebReply
    var urls: [String] = []
    var isShutDown = false
  }

  private let state: Mutex<State>

  init(_ reply: WebReply = WebReply(status: 200, body: Array(NominatimSamples.house.utf8))) {
    state = Mutex(State(reply: reply))
  }

  var urls: [String] { state.withLock(\.urls) }
  var isShutDown: Bool { state.withLock(\.isShutDown) }

  func answer(_ reply: WebReply) { state.withLock { $0.reply = reply } }

  func get(_ url: String) async throws -> WebReply {
    try Task.checkCancellation()
    return state.withLock { state in
      state.urls.append(url)
      return state.reply
    }
  }

  func shutDown() async { state.withLock { $0.isShutDown = true } }
}
