import Foundation
import Testing
import ToDoTestProcesses
import ToDoTestServers
import ToDoTestSupport
import ToDoTransport

/// The metrics that the program serves to Prometheus. curl reads them, and Prometheus's promtool checks them.
@Suite(.timeLimited, .blocking) struct MetricsProcessTests {
  private static let arguments = [
    "serve", "--listen", "tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0", "--http-listen", "127.0.0.1:0",
    "--metrics-listen", "127.0.0.1:0", "--geocoder", "gazetteer",
  ]

  #if HTTP
  /// The metrics after some calls, as text.
  private func withServer(
    _ more: String..., body: (ServerProcess, _ http: String, _ metrics: String) async throws -> Void
  ) async throws {
    let server = try ServerProcess(Self.arguments + more)
    func url(_ scheme: String) throws -> String {
      let prefix = "listening on \(scheme)://"
      return try #require(server.announced.first { $0.hasPrefix(prefix) }).replacing(prefix, with: "http://")
    }
    try await body(server, try url("http+tcp"), try url("metrics+tcp"))
    #expect(server.terminate() == 0)
  }

  private func call(_ http: String, _ method: String, _ message: String) throws -> Int {
    let url = "\(http)/todo.v1.ToDoService/\(method)"
    return try CurlRun(["--header", "content-type: application/json", "--data", message, url]).status
  }

  /// The names of metrics, each with its type.
  private func types(_ text: String) -> [String: String] {
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }.filter { $0.starts(with: ["#", "TYPE"]) }
    return Dictionary(lines.map { (String($0[2]), String($0[3])) }) { first, _ in first }
  }

  @Test func metrics_afterCalls_countThem_withoutContents() async throws {
    try await withTemporaryDirectory { directory async throws in
      try await withServer("--store", "sqlite:\(directory)/items.sqlite") { _, http, metrics throws in
        let item =
          #"{"item": {"id": "0198c0de-7000-7abc-8def-0123456789ab", "title": "Secretive", "location": {"address": "Lund"}}}"#
        #expect(try call(http, "AddItem", item) == 200)
        #expect(try call(http, "GetItem", #"{"id": "0198c0de-7000-7abc-8def-0123456789ac"}"#) == 404)
        let response = try CurlRun([metrics + "/metrics"])
        #expect(response.status == 200)
        #expect(response.output.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"))
        for line in [
          #"rpc_server_calls_total{method="todo.v1.ToDoService/AddItem",code="OK"} 1"#,
          #"rpc_server_calls_total{method="todo.v1.ToDoService/GetItem",code="NOT_FOUND"} 1"#,
          #"rpc_server_call_duration_seconds_count{method="todo.v1.ToDoService/AddItem"} 1"#,
          #"todo_commit_writes_count{result="failed"} 0"#,
          #"rpc_server_connections_accepted_total{protocol="http"} 2"#,
        ] {
          #expect(response.body.contains("\n\(line)\n"), "\(line)")
        }
        for word in ["Secretive", "Lund", "0198c0de", "127.0.0.1"] { #expect(!response.body.contains(word)) }
        let check = try CompletedProcess("/usr/bin/promtool", ["check", "metrics"], input: response.body)
        #expect(check.termination.status == 0, "\(check.error)\(check.output)")
      }
    }
  }

  @Test func metrics_areThoseOfTheGuide() async throws {
    try await withTemporaryDirectory { directory async throws in
      try await withServer("--store", "sqlite:\(directory)/items.sqlite", "--notify") { _, http, metrics throws in
        #expect(try call(http, "ListItems", "{}") == 200)
        let exported = types(try CurlRun([metrics + "/metrics"]).body)
        let documented = try Self.documented()
        #expect(exported == documented)
      }
    }
  }

  /// The metrics of the guide's table, each with its type.
  private static func documented() throws -> [String: String] {
    let file = URL(filePath: #filePath).appending(path: "../../../../Sources/todo-server/README.md").standardized
    let lines = String(decoding: try Data(contentsOf: file), as: UTF8.self).split(separator: "\n")
    let rows = lines.map { $0.split(separator: "|", omittingEmptySubsequences: false) }
    var types: [String: String] = [:]
    for row in rows where row.count == 7 && (row[1].hasPrefix(" `rpc_") || row[1].hasPrefix(" `todo_")) {
      let type = String(row[3].dropFirst().prefix { $0 != "," && $0 != ";" })
      for name in row[2].matches(of: /`([a-z_]+)`/) { types[String(name.1)] = type }
    }
    return types
  }

  @Test func metricsEndpoint_servesNothingElse() async throws {
    try await withServer("--store", "memory:") { _, http, metrics throws in
      #expect(try call(metrics, "ListItems", "{}") == 404)
      #expect(try CurlRun([metrics + "/healthz"]).status == 404)
      #expect(try CurlRun(["--data", "x", metrics + "/metrics"]).status == 405)
      // A page of another name that has this machine's address.
      #expect(try CurlRun(["--header", "host: evil.example", metrics + "/metrics"]).status == 403)
      #expect(try CurlRun([http + "/metrics"]).status == 404)
    }
  }

  @Test func metrics_whenOneAddressHasItsConnections_areServedToOthers() async throws {
    try await withServer("--store", "memory:") { _, _, metrics async throws in
      let port = try #require(metrics.split(separator: ":").last.flatMap { Int($0) })
      var clients: [RawClient] = []
      for _ in 0..<16 { clients.append(try await RawClient.connect(to: .tcp(host: "127.0.0.1", port: port))) }
      while try CurlRun([metrics + "/metrics"]).status != 0 {}
      #expect(try CurlRun(["--interface", "127.0.0.2", metrics + "/metrics"]).status == 200)
      for client in clients { await client.close() }
    }
  }
  #else
  @Test func serve_whenBuiltWithoutHTTP_rejectsMetrics() throws {
    let failure = #expect(throws: ServerProcess.Failure.self) {
      try ServerProcess(Self.arguments + ["--store", "memory:"])
    }
    #expect(failure?.error.contains("this program was built without HTTP") == true)
  }
  #endif
}
