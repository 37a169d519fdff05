import Synchronization
public import Testing
public import ToDoModel
public import ToDoRules

/// A geocoder that returns configured candidates and records its queries.
public final class MockGeocoder: Geocoder {
  private struct State {
    var answers: [String: [GeocodeCandidate]]
    var error: GeocoderError?
    var queries: [GeocodeQuery] = []
  }

  private let state: Mutex<State>
  private let queryCount = Condition(0)
  private let isHeld = Condition(false)
  /// An attribution to display, as geocoders with open data require.
  public let attribution = "The mock's places"

  /// Creates a geocoder.
  ///
  /// - Parameter answers: the candidates of the known addresses.
  public init(_ answers: [String: [GeocodeCandidate]] = [.alteAddress: [.alte]]) {
    state = Mutex(State(answers: answers))
  }

  /// The received queries, in order.
  public var queries: [GeocodeQuery] { state.withLock(\.queries) }

  /// Waits until a number of queries was received.
  public func waitForQueries(_ count: Int = 1, sourceLocation: SourceLocation = #_sourceLocation) async {
    await queryCount.wait(sourceLocation: sourceLocation) { $0 >= count }
  }

  /// Sets the candidates of an address.
  public func setAnswers(_ candidates: [GeocodeCandidate], for address: String) {
    state.withLock { $0.answers[address] = candidates }
  }

  /// Makes later queries fail; `nil` makes them succeed again.
  public func fail(with error: GeocoderError?) {
    state.withLock { $0.error = error }
  }

  /// Blocks queries until `release`, or until their task is canceled.
  public func hold() { isHeld.change { $0 = true } }

  /// Lets blocked and later queries continue.
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
  /// The address that `MockGeocoder` finds by default.
  public static let alteAddress = "Barer Str. 27, München"
}

extension GeocodeCandidate {
  /// The candidate of `String.alteAddress`.
  public static let alte: GeocodeCandidate = {
    guard let coordinate = Coordinate(latitude: 48.137_43, longitude: 11.575_49) else {
      preconditionFailure("the degrees are within their ranges")
    }
    return GeocodeCandidate(
      coordinate: coordinate, displayName: "Munich, Bavaria, Germany", granularity: .locality, source: "mock")
  }()
}
