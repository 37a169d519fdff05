import Foundation
import FuzzTargets
import TestSupport
import Testing

/// The bytes that a fuzzer once found to be too much, or that show it the way, over and over again.
@Suite struct FuzzCaseTests {
  @Test(arguments: FuzzTarget.all.map(\.name))
  func keptCases_areBorne(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let folder = URL(filePath: #filePath).appending(path: "../../Cases/\(name)").standardized
    let cases = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(!cases.isEmpty)
    for file in cases { try Data(contentsOf: file).withUnsafeBytes(target.run) }
  }

  /// A short look around each case, which needs no fuzzer: cut off, and with bytes changed.
  @Test(arguments: FuzzTarget.all.map(\.name))
  func mutatedCases_areBorne(_ name: String) throws {
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
