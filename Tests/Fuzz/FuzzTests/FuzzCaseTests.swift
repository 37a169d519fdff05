import Foundation
import FuzzTargets
import Testing
import ToDoTestSupport

/// Regression tests with stored inputs: inputs that failed in a fuzzer run, and the seeds of the corpus.
@Suite struct FuzzCaseTests {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func target_whenInputIsStoredCase_succeeds(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let folder = URL(filePath: #filePath).appending(path: "../../Cases/\(name)").standardized
    let cases = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!cases.isEmpty)
    for file in cases { try Data(contentsOf: file).withUnsafeBytes(target.run) }
  }

  /// Tries truncated and mutated variants of each case, without a fuzzer.
  @Test(arguments: FuzzTarget.all.map(\.name))
  func target_whenInputIsMutatedCase_succeeds(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let folder = URL(filePath: #filePath).appending(path: "../../Cases/\(name)").standardized
    var generator = SeededGenerator(seed: 1)
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let bytes = Array(try Data(contentsOf: file).prefix(4096))
      for _ in 0..<50 {
        var mutated = Array(bytes.prefix(.random(in: 0...bytes.count, using: &generator)))
        for _ in 0..<3 where !mutated.isEmpty {
          mutated[.random(in: mutated.indices, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        mutated.withUnsafeBytes(target.run)
      }
    }
  }
}
