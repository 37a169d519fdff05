import ToDoModel
public import ToDoRules

/// The contract of `Geocoder`, one sentence for each rule.
public enum GeocoderContract {
  /// All rules of the contract.
  public static let rules: [ContractRule<Subject>] = resultRules + inputRules + concurrencyRules

  typealias Rule = ContractRule<Subject>

  /// A geocoder under test, and the addresses and sources that the rules need.
  public struct Subject: Sendable {
    /// The geocoder under test.
    public let geocoder: any Geocoder
    /// An address with candidates.
    public let knownAddress: String
    /// An address without candidates.
    public let unknownAddress: String
    /// An address with at least two equally good candidates, or `nil` if the geocoder never returns such candidates.
    public let ambiguousAddress: String?
    /// The sources that the candidates may have.
    public let sources: Set<String>
    /// Makes the geocoder stop responding, or `nil` if the geocoder always responds immediately.
    public let stopResponding: (@Sendable () async -> Void)?

    /// Creates a subject.
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
