import Testing
import ToDoModel
import ToDoRules

extension GeocoderContract {
  private static let callers = 64

  static var concurrencyRules: [Rule] {
    [
      Rule("concurrent callers get the same candidates, or are rate limited") { subject async throws in
        let expected = try await subject.candidates(for: subject.knownAddress)
        let answers = try await withThrowingTaskGroup(of: [GeocodeCandidate]?.self) { group in
          for _ in 0..<callers {
            group.addTask {
              do { return try await subject.candidates(for: subject.knownAddress) } catch GeocoderError.rateLimited {
                return nil
              }
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.allSatisfy { $0 == nil || $0 == expected })
        #expect(answers.contains(expected))
      },
      Rule("a cancelled caller gets a CancellationError") { subject async throws in
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await subject.candidates(for: subject.knownAddress)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
      },
      Rule("a caller that is cancelled while it waits stops waiting") { subject async throws in
        guard let stopResponding = subject.stopResponding else { return }
        await stopResponding()
        let task = Task { try await subject.candidates(for: subject.knownAddress) }
        for _ in 0..<100 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      },
    ]
  }
}
