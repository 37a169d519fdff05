import Foundation
import Testing
import ToDoGeocoders
import ToDoTestSupport

/// Compares the README's session with the output of the program.
@Suite(.timeLimited) struct ReadmeTests {
  @Test func session_whenReplayed_matchesREADME() async throws {
    let bench = TestBench(geocoder: try GazetteerGeocoder())
    // The session is that of a terminal, on which lists are aligned.
    bench.change { $0.environment["COLUMNS"] = "80" }
    var replayed = "```console\n"
    let session = try Self.session()
    for line in session.split(separator: "\n") where line.hasPrefix("$ todo ") {
      let run = await bench.run(String(line.dropFirst("$ todo ".count)))
      replayed += "\(line)\n\(run.output)\(run.error)"
    }
    #expect(replayed == session)
  }

  /// Returns the fenced block after the marker comment.
  private static func session() throws -> String {
    let readme = try String(
      contentsOf: URL(filePath: #filePath).appending(path: "../../../README.md").standardized, encoding: .utf8)
    let mark = try #require(readme.range(of: "<!-- session: "))
    let start = try #require(readme.range(of: "```console\n", range: mark.upperBound..<readme.endIndex))
    let end = try #require(readme.range(of: "```\n", range: start.upperBound..<readme.endIndex))
    return String(readme[start.lowerBound..<end.lowerBound])
  }
}
