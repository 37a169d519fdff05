import Foundation
import Testing
import ToDoGeocoders

/// The README shows what the program really does.
@Suite struct ReadmeTests {
  @Test func session_isReplayedToTheLetter() async throws {
    let bench = TestBench(geocoder: try GazetteerGeocoder())
    var replayed = "```console\n"
    let session = try Self.session()
    for line in session.split(separator: "\n") where line.hasPrefix("$ todo ") {
      let run = await bench.run(String(line.dropFirst("$ todo ".count)))
      replayed += "\(line)\n\(run.output)\(run.error)"
    }
    #expect(replayed == session)
  }

  /// The fenced block below the mark.
  private static func session() throws -> String {
    let readme = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../README.md").standardized, encoding: .utf8)
    let mark = try #require(readme.range(of: "<!-- session: "))
    let start = try #require(readme.range(of: "```console\n", range: mark.upperBound..<readme.endIndex))
    let end = try #require(readme.range(of: "```\n", range: start.upperBound..<readme.endIndex))
    return String(readme[start.lowerBound..<end.lowerBound])
  }
}
