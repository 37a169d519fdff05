#if HTTP
import Foundation
import Testing
import ToDoTestProcesses
import ToDoTestServers
import ToDoTestSupport

/// The commands of HTTP.md.
@Suite(.timeLimited, .blocking) struct HTTPDocumentTests {
  private static let document = URL(filePath: #filePath.components(separatedBy: "/Tests/")[0] + "/Protos/HTTP.md")

  /// The outputs of the document's blocks of commands, at a server with an empty list.
  private func outputs() throws -> [String] {
    let server = try ServerProcess(
      "serve", "--listen", "tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--geocoder",
      "none", environment: ["TODO_SERVER_HTTP_LISTEN": "127.0.0.1:0"])
    let prefix = "listening on http+tcp://"
    let line = try #require(server.announced.first { $0.hasPrefix(prefix) })
    let document = try String(contentsOf: Self.document, encoding: .utf8)
    let blocks = document.components(separatedBy: "```sh\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
    return try blocks.map { block in
      let commands =
        block
        .replacingOccurrences(of: "127.0.0.1:8641", with: line.dropFirst(prefix.count))
        // A watch lasts until it is interrupted.
        .replacingOccurrences(of: "curl -sSN", with: "curl -sSN --max-time 1")
      let output = try ProcessPipe()
      let process = try SpawnedProcess("/bin/bash", ["-c", commands], output: .pipe(output), error: .pipe(output))
      defer { process.wait() }
      return try output.readingEnd.readToEnd()
    }
  }

  @Test func commands_doWhatDocumentSays() throws {
    let outputs = try outputs()
    try #require(outputs.count == 5)
    #expect(outputs[0].components(separatedBy: #""title":"Buy oat milk""#).count == 4)
    #expect(outputs[0].contains(#""completeTime":"#))
    #expect(outputs[1].contains(#""snapshotPage":{"#) && outputs[1].contains(#""snapshotEnd":{"#))
    #expect(outputs[2].contains(#""title":"Buy oat milk""#))
    #expect(outputs[3].contains(#""title":"Dinner""#) && outputs[3].contains(#""name":"Rossi""#))
    #expect(outputs[4].hasPrefix(#"{"code":"invalid_argument","message":"#) && outputs[4].contains("item.title"))
  }
}
#endif
