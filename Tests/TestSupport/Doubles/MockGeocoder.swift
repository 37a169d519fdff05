import Synchronization
public import ToDoModel
public import ToDoRules

/// A geocoder that answers what a test tells it, and remembers what it was asked.
public final class MockGeocoder: Geocoder {
  private struct State {
    var answers: [String: [GeocodeCandidate]]
    var error: GeocoderError?
    var queries: [GeocodeQuery] = []
  }

  private let state: Mutex<State>
  private let queryCount = Condition(0)
  private let isHeld = Condition(false)
  public let attribution = "The mock's places"

  /// - Parameter answers: the candidates of the addresses that are known.
  public init(_ answers: [String: [GeocodeCandidate]] = [.alteAddress: [.alte]]) {
    state = Mutex(State(answers: answers))
  }

  /// What it was asked, in order.
  public var queries: [GeocodeQuery] { state.withLock(\.queries) }

  /// Returns when it has been asked at least so often.
  public func waitForQueries(_ count: Int = 1) async {
    await queryCount.wait { $0 >= count }
  }

  public func setAnswers(_ candidates: [GeocodeCandidate], for address: String) {
    state.withLock { $0.answers[address] = candidates }
  }

  /// Fails from now on; `nil`: answers again.
  public func fail(with error: GeocoderError?) {
    state.withLock { $0.error = error }
  }

  /// Keeps who asks waiting until `release`, or until they are cancelled.
  public func hold() { isHeld.change { $0 = true } }

  public func release() { isHeld.change { $0 = false } }

  public func candidates(for query: GeocodeQuery) async throws -> [GeocodeCandidate] {
    state.withLock { $0.queries.append(query) }
    queryCount.change { $0 += 1 }
    await isHeld.wait { !$0 }
    try Task.checkCancellation()
    return try state.withLock { state in
      if let error = state.error { throw error }
      return Array((state.answers[query.address] ?? []).prefix(query.limit))
    }
  }
}

extension String {
  /// The address that `MockGeocoder` knows.
  public static let alteAddress = "Barer Str. 27, München"
}

extension GeocodeCandidate {
  /// The place of `String.alteAddress`.
  public static let alte: GeocodeCandidate = {
    guard let coordinate = Coordinate(latitude: 48.137_43, longitude: 11.575_49) else {
      preconditionFailure("the degrees are within their ranges")
    }
    return GeocodeCandidate(
      coordinate: coordinate, displayName: "Munich, Bavaria, Germany", granularity: .locality, source: "mock")
  }()
}
