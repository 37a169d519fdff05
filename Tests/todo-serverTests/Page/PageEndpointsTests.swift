#if HTTP
import Foundation
import NIOCore
import Testing
import ToDoHTTPTransport
import ToDoRPC
import ToDoTestSupport

@testable import todo_server

/// The files of the page in browsers.
@Suite(.timeLimited) struct PageEndpointsTests {
  private let folder = URL(filePath: #filePath).appending(path: "../../../../Sources/CToDoPage/page").standardized

  private var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
  }

  private func response(to path: String, acceptsGzip: Bool = false) async throws -> HTTPEndpointResponse {
    let endpoint = try #require(PageEndpoints.all.first { $0.path == path }, "run Sources/CToDoPage/make-table")
    let call = CallContext(metadata: Metadata(), connection: CallConnection(peer: Peer()))
    return await endpoint.respond(to: HTTPEndpointRequest(method: "GET", acceptsGzip: acceptsGzip, call: call))
  }

  @Test func everyFile_isServed_asItIsInTheFolder() async throws {
    let names = try files.filter { !$0.hasSuffix(".js") || $0 == "service-worker.js" }
    let paths = names.map { $0 == "index.html" ? "/" : "/" + $0 }
    let others = ["/app.js", "/page/towns.json", "/robots.txt"]
    #expect(PageEndpoints.all.map(\.path).sorted() == (paths + others).sorted())
    for (name, path) in zip(names, paths) {
      let response = try await response(to: path)
      #expect(try Array(response.body.readableBytesView) == Array(Data(contentsOf: folder.appending(path: name))))
      #expect(response.contentType != "application/octet-stream", "\(name) has no media type")
    }
  }

  @Test func modules_areServedAsOne() async throws {
    let response = try await response(to: "/app.js")
    #expect(response.contentType == "text/javascript; charset=utf-8")
    let lines = String(buffer: response.body).split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
    let modules = try files.filter { $0.hasSuffix(".js") && $0 != "service-worker.js" }
    let names = modules.map { "$" + $0.dropLast(".js".count).replacing("-", with: "_") }
    let starts = lines.filter { $0.hasPrefix("const $") }.compactMap { $0.split(separator: " ").dropFirst().first }
    #expect(starts.map(String.init).sorted() == names.sorted())
  }

  /// A page that loads in a moment over a slow network: what browsers receive, which is compressed.
  @Test func page_isBelow100Kilobytes_asBrowsersReceiveIt() async throws {
    var size = 0
    for endpoint in PageEndpoints.all where !endpoint.path.hasPrefix("/page/") {
      size += try await response(to: endpoint.path, acceptsGzip: true).body.readableBytes
    }
    #expect(size < 75_000)
  }

  @Test func page_mayLoadAndRunOnlyItsOwnFiles() async throws {
    let headers = try await response(to: "/").headers
    let policy = try #require(headers["content-security-policy"])
    #expect(policy.hasPrefix("default-src 'none'; script-src 'self'; ") && !policy.contains("unsafe"))
    #expect(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'none'"))
    #expect(headers["referrer-policy"] == "no-referrer" && headers["cross-origin-opener-policy"] == "same-origin")
  }
}
#endif
