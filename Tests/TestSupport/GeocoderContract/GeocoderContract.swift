public import ToDoModel

/// What every `Geocoder` keeps, as one rule a sentence.
public enum GeocoderContract {
  public static let rules: [ContractRule<Subject>] = answerRules + inputRules + concurrencyRules

  typealias Rule = ContractRule<Subject>

  /// A geocoder, and what a suite has to know about it.
  public struct Subject: Sendable {
    public let geocoder: any Geocoder
    /// An address that it finds.
    public let known: String
    /// An address that it does not find.
    public let unknown: String
    /// An address with at least two candidates that match equally well, if there can be one.
    public let ambiguous: String?
    /// The sources that its candidates can have.
    public let sources: Set<String>
    /// From now on it answers nobody, if it can be made to.
    public let stall: (@Sendable () async -> Void)?

    public init(
      _ geocoder: any Geocoder, known: String, unknown: String, ambiguous: String? = nil, sources: Set<String>,
      stall: (@Sendable () async -> Void)? = nil
    ) {
      self.geocoder = geocoder
      self.known = known
      self.unknown = unknown
      self.ambiguous = ambiguous
      self.sources = sources
      self.stall = stall
    }

    func ask(_ address: String, near bias: Coordinate? = nil, limit: Int = 50) async throws -> [GeocodeCandidate] {
      try await geocoder.candidates(for: GeocodeQuery(address: address, bias: bias, limit: limit))
    }
  }
}
