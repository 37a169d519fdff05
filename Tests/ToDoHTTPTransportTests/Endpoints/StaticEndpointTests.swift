#if HTTP
import NIOCore
import Testing
import ToDoCompression
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

@testable import ToDoHTTPTransport

/// Files that are the same for everyone.
@Suite(.timeLimited, .blocking) struct StaticEndpointTests {
  private let script = StaticEndpoint(
    path: "/app.js", contentType: "text/javascript", headers: ["content-security-policy": "script-src 'self'"]
  ) { ByteBuffer(string: String(repeating: "let x;", count: 1000)) }
  private let note = StaticEndpoint(path: "/note", contentType: "text/plain") { ByteBuffer(string: "short") }

  private func respond(
    _ endpoint: StaticEndpoint, acceptsGzip: Bool = false, _ headers: [String] = []
  ) async -> HTTPEndpointResponse {
    var metadata = Metadata()
    for header in headers { metadata.append("if-none-match", header) }
    let call = CallContext(metadata: metadata, connection: CallConnection(peer: Peer()))
    return await endpoint.respond(to: HTTPEndpointRequest(method: "GET", acceptsGzip: acceptsGzip, call: call))
  }

  @Test func file_isSent_withItsTag() async {
    let response = await respond(script)
    #expect(response.status == 200 && response.body.readableBytes == 6000 && response.contentType == "text/javascript")
    #expect(response.headers["content-encoding"] == nil && response.headers["cache-control"] == "no-cache")
    #expect(response.headers["vary"] == "accept-encoding")
    #expect(await respond(note).headers["etag"] != response.headers["etag"])
  }

  @Test func largeFile_isCompressed_forClientsThatCanReadIt() async throws {
    let response = await respond(script, acceptsGzip: true)
    #expect(response.headers["content-encoding"] == "gzip")
    var plain = ByteBuffer()
    try Gzip.decompress(response.body, into: &plain, maximumSize: 6000)
    #expect(await respond(script).body == plain)
    let small = await respond(note, acceptsGzip: true)
    #expect(small.headers["content-encoding"] == nil && small.body == ByteBuffer(string: "short"))
  }

  @Test func compressedFile_isSentAsItIsStored_orDecompressed() async throws {
    let plain = ByteBuffer(string: String(repeating: "{}", count: 1000))
    var gzip = ByteBuffer()
    try Gzip.compress(plain, into: &gzip)
    let stored = StaticEndpoint(path: "/a.json", contentType: "application/json", maximumSize: 2000) { [gzip] in gzip }
    let compressed = await respond(stored, acceptsGzip: true)
    #expect(compressed.body == gzip && compressed.headers["content-encoding"] == "gzip")
    let response = await respond(stored)
    #expect(response.status == 200 && response.body == plain && response.contentType == "application/json")
    #expect(response.headers["content-encoding"] == nil && response.headers["vary"] == "accept-encoding")
    #expect(response.headers["etag"] == compressed.headers["etag"] && response.headers["cache-control"] == "no-cache")
    let large = StaticEndpoint(path: "/a.json", contentType: "application/json", maximumSize: 1999) { [gzip] in gzip }
    #expect(await respond(large).status == 500)
  }

  @Test func knownFile_isNotSentAgain() async throws {
    let tag = try #require(await respond(script).headers["etag"])
    for header in [tag, "\"a\", \(tag)", "\(tag) , \"a\""] {
      let response = await respond(script, [header])
      #expect(response.status == 304 && response.body.readableBytes == 0 && response.contentType == nil)
      #expect(response.headers["etag"] == tag && response.headers["content-security-policy"] != nil)
    }
    for header in ["\"a\"", "", ",", tag + "a"] { #expect(await respond(script, [header]).status == 200) }
  }

  @Test func response_hasTheHeadersOfItsEndpoint_once() async throws {
    try await HTTPTestServer.with(MethodTable([]), endpoints: [script]) { server async throws in
      let run = try CurlRun([server.url("app.js")])
      #expect(run.output.contains("content-security-policy: script-src 'self'\r\n"))
      #expect(run.output.ranges(of: "content-security-policy").count == 1)
      #expect(run.output.contains("x-content-type-options: nosniff\r\n") && !run.output.contains("no-store"))
      let head = try CurlRun(["--head", "--compressed", server.url("app.js")])
      #expect(head.status == 200 && head.output.contains("content-encoding: gzip\r\n") && head.body.isEmpty)
      let tag = try #require(run.output.split(separator: "\r\n").first { $0.hasPrefix("etag: ") }).dropFirst(6)
      let known = try CurlRun(["--header", "if-none-match: \(tag)", server.url("app.js")])
      #expect(known.status == 304 && !known.output.contains("content-length") && known.body.isEmpty)
      let http2 = ["--http2-prior-knowledge", "--header", "if-none-match: \(tag)"]
      let again = try CurlRun(http2 + [server.url("app.js")])
      #expect(again.status == 304 && !again.output.contains("content-length"))
    }
  }

  /// A link of another site leads to it, as a name does that the operator did not state.
  @Test(arguments: [
    ["Host: localhost", "Sec-Fetch-Site: cross-site"], ["Host: localhost", "Origin: https://b"], ["Host: todo.example"],
  ])
  func otherSites_mayLinkToIt(_ headers: [String]) throws {
    #expect(try EmbeddedHTTPConnection(endpoints: [note]).status(.request("HEAD /note HTTP/1.1", headers)) != 403)
    #expect(try EmbeddedHTTPConnection().status(.request("GET /note HTTP/1.1", headers)) == 403)
  }

  @Test func otherMethods_areRefused() throws {
    #expect(try EmbeddedHTTPConnection(endpoints: [note]).status(.request("POST /note HTTP/1.1")) == 405)
    let preflight = String.request("OPTIONS /note HTTP/1.1", ["Host: localhost", "Origin: https://b"])
    #expect(try EmbeddedHTTPConnection(endpoints: [note]).status(preflight) == 405)
  }
}
#endif
