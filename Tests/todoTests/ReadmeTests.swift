import Foundation
import Testing
import ToDoGeocoders
import ToDoTestSupport

/// Compares the sessions in documents with the output of the program.
@Suite(.unitTimeLimited) struct ReadmeTests {
  @Test func session_whenReplayedAfterFirstCommand_matchesREADME() async throws {
    let readme = try Self.document("README.md")
    let command = try #require(readme.firstMatch(of: /todo (add "Buy oat milk".*?) && todo list\n/)).1
    let session = try Self.session(of: readme)
    #expect(try await Self.replay(session, after: String(command.replacing("\"", with: "'"))) == session)
  }

  @Test func guideSession_whenReplayedInNewList_matchesGuide() async throws {
    let session = try Self.session(of: Self.document("Sources/todo/README.md"))
    #expect(try await Self.replay(session) == session)
  }

  /// Runs the commands of a session, and returns the session with the output of the program.
  private static func replay(_ session: String, after command: String? = nil) async throws -> String {
    let bench = TestBench(geocoder: try GazetteerGeocoder())
    // The session is that of a terminal, on which lists are aligned.
    bench.change { $0.environment["COLUMNS"] = "80" }
    if let command { await bench.run(command) }
    var replayed = "```console\n"
    for line in session.split(separator: "\n") where line.hasPrefix("$ todo ") {
      let run = await bench.run(String(line.dropFirst("$ todo ".count)))
      replayed += "\(line)\n\(run.output)\(run.error)"
    }
    return replayed
  }

  private static func document(_ path: String) throws -> String {
    try String(contentsOf: URL(filePath: #filePath).appending(path: "../../../\(path)").standardized, encoding: .utf8)
  }

  /// Returns the fenced block after the marker comment.
  private static func session(of document: String) throws -> String {
    let mark = try #require(document.range(of: "<!-- session: "))
    let start = try #require(document.range(of: "```console\n", range: mark.upperBound..<document.endIndex))
    let end = try #require(document.range(of: "```\n", range: start.upperBound..<document.endIndex))
    return String(document[start.lowerBound..<end.lowerBound])
  }
}
