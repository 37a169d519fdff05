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

  /// The names that a module imports from others, and those that it exports.
  private struct Module {
    var imports: [(file: String, names: [String])] = []
    var exports: Set<String> = []
  }

  /// Reads a module, whose imports and exports must have the forms that `PageModules` knows.
  private func module(_ name: String) throws -> Module {
    var module = Module()
    var statement = ""
    for line in try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("import") || !statement.isEmpty {
        statement += line
        guard line.hasSuffix(";") else { continue }
        let match = statement.wholeMatch(of: /import \{([\w, ]+)\} from "\.\/([\w-]+\.js)";/)
        let found = try #require(match, "\(name): \(statement)")
        let names = found.1.split { $0 == "," || $0 == " " }.map(String.init)
        module.imports.append((file: String(found.2), names: names))
        statement = ""
      } else if line.hasPrefix("export") {
        let match = line.prefixMatch(of: /export (?:async )?(?:function\*?|const|class) (\w+)[ (]/)
        let found = try #require(match, "\(name): \(line)")
        module.exports.insert(String(found.1))
      }
    }
    return module
  }

  /// A module of another form would become a page that doesn't run.
  @Test func modules_haveTheFormsThatCanBeJoined() throws {
    var modules: [String: Module] = [:]
    for name in try files where name.hasSuffix(".js") && name != "service-worker.js" {
      modules[name] = try module(name)
    }
    for (name, module) in modules {
      for (file, names) in module.imports {
        let exports = try #require(modules[file], "\(name) imports \(file)").exports
        #expect(exports.isSuperset(of: names), "\(name) imports \(names) from \(file)")
      }
    }
    // Without a cycle, there is always a module all of whose imports were removed before.
    var remaining = modules.mapValues { module in Set(module.imports.map { $0.file }) }
    while let next = remaining.first(where: { $0.value.isDisjoint(with: remaining.keys) })?.key {
      remaining[next] = nil
    }
    #expect(remaining.isEmpty, "a cycle: \(remaining.keys.sorted())")
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
