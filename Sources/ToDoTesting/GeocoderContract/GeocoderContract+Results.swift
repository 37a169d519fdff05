import Testing
import ToDoModel
import ToDoRules

extension GeocoderContract {
  static var resultRules: [Rule] {
    [
      Rule("each candidate of a known address has a display name and one of the geocoder's sources") {
        subject async throws in
        let candidates = try await subject.candidates(for: subject.knownAddress)
        #expect(!candidates.isEmpty)
        for candidate in candidates {
          #expect(candidate.displayName.contains { !$0.isWhitespace })
          #expect(subject.sources.contains(candidate.source), "\(candidate.source)")
        }
      },
      Rule("if a candidate has an attribution, the geocoder has one") { subject async throws in
        for candidate in try await subject.candidates(for: subject.knownAddress) where !candidate.attribution.isEmpty {
          #expect(!subject.geocoder.attribution.isEmpty)
        }
      },
      Rule("an unknown address has no candidates and throws no error") { subject async throws in
        #expect(try await subject.candidates(for: subject.unknownAddress) == [])
      },
      Rule("there are at most limit candidates, and a lower limit omits the last") { subject async throws in
        let address = subject.ambiguousAddress ?? subject.knownAddress
        let all = try await subject.candidates(for: address)
        for limit in [1, 2, 5, 50] {
          #expect(try await subject.candidates(for: address, limit: limit) == Array(all.prefix(limit)))
        }
      },
      Rule("repeating a query returns the same candidates") { subject async throws in
        let first = try await subject.candidates(for: subject.knownAddress)
        #expect(try await subject.candidates(for: subject.knownAddress) == first)
      },
      Rule("of equally good candidates the nearest to the bias comes first") { subject async throws in
        guard let ambiguousAddress = subject.ambiguousAddress else { return }
        let candidates = try await subject.candidates(for: ambiguousAddress)
        try #require(candidates.count > 1)
        for candidate in candidates.prefix(3) {
          let near = try await subject.candidates(for: ambiguousAddress, near: candidate.coordinate)
          #expect(near.first?.coordinate == candidate.coordinate)
        }
      },
      Rule("a known address has candidates with any bias") { subject async throws in
        for (latitude, longitude) in [(90.0, 0.0), (-90, 180), (0, -180), (0, 180), (48.1, 11.6)] {
          let bias = try #require(Coordinate(latitude: latitude, longitude: longitude))
          #expect(try await !subject.candidates(for: subject.knownAddress, near: bias).isEmpty)
        }
      },
    ]
  }
}
