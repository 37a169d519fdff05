public import ToDoModel

/// What every `Geocoder` keeps, as one rule a sentence.
public enum GeocoderContract {
  public static let rules: [ContractRule<Subject>] = resultRules + inputRules + concurrencyRules

  typealias Rule = ContractRule<Subject>

  /// A geocoder, and what a suite has to know about it.
  public struct Subject: Sendable {
    public let geocoder: any Geocoder
    /// An address that it finds.
    public let knownAddress: String
    /// An address that it does not find.
    public let unknownAddress: String
    /// An address with at least two candidates that match equally well, if there can be one.
    public let ambiguousAddress: String?
    /// The sources that its candidates can have.
    public let sources: Set<String>
    /// From now on it answers nobody, if it can be made to.
    public let stopResponding: (@Sendable () async -> Void)?

    public init(
      _ geocoder: any Geocoder, knownAddress: String, unknownAddress: String, ambiguousAddress: String? = nil,
      sources: Set<String>,
      stopResponding: (@Sendable () async -> Void)? = nil
    ) {
      self.geocoder = geocoder
      self.knownAddress = knownAddress
      self.unknownAddress = unknownAddress
      self.ambiguousAddress = ambiguousAddress
      self.sources = sources
      self.stopResponding = stopResponding
    }

    func candidates(for address: String, near bias: Coordinate? = nil, limit: Int = 50) async throws
      -> [GeocodeCandidate]
    {
      try await geocoder.candidates(for: GeocodeQuery(address: address, bias: bias, limit: limit))
    }
  }
}
