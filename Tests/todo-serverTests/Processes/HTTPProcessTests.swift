import Testing
import ToDoTestServers
import ToDoTestSupport

/// Tests of the program with HTTP endpoints. curl is the client.
@Suite(.timeLimited, .blocking) struct HTTPProcessTests {
  #if HTTP
  @Test func serve_withHTTPEndpoint_servesCalls() async throws {
    let server = try ServerProcess(
      "serve", "--listen", "tcp://127.0.0.1:0", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--geocoder",
      "none", environment: ["TODO_SERVER_HTTP_LISTEN": "127.0.0.1:0"])
    let prefix = "listening on http+tcp://"
    let line = try #require(server.announced.first { $0.hasPrefix(prefix) })
    let url = "http://" + line.dropFirst(prefix.count)
    #expect(try CurlRun([url + "/healthz"]).body == "serving\n")
    let type = ["--header", "content-type: application/proto", "--data-binary", "@-"]
    let list = try CurlRun(type + [url + "/todo.v1.ToDoService/ListItems"])
    #expect(list.status == 200 && list.output.contains("content-type: application/proto\r\n"))
    let page = try CurlRun([url + "/"])
    #expect(page.status == 200 && page.body.hasPrefix("<!doctype html>"))
    #expect(page.output.contains("default-src 'none'; script-src 'self'; "))
    #expect(try CurlRun([url + "/robots.txt"]).body == "User-agent: *\nDisallow: /\n")
    #expect(server.terminate() == 0)
  }

  @Test func serve_withoutPage_servesCallsOnly() async throws {
    let server = try ServerProcess(
      "serve", "--listen", "tcp://127.0.0.1:0", "--http-listen", "127.0.0.1:0", "--no-http-page", "--store", "memory:")
    let prefix = "listening on http+tcp://"
    let line = try #require(server.announced.first { $0.hasPrefix(prefix) })
    let url = "http://" + line.dropFirst(prefix.count)
    #expect(try CurlRun([url + "/"]).status == 404)
    #expect(try CurlRun([url + "/healthz"]).status == 200)
  }
  #else
  @Test func serve_whenBuiltWithoutHTTP_rejectsEndpoint() throws {
    let failure = #expect(throws: ServerProcess.Failure.self) {
      try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--store", "memory:", "--http-listen", "127.0.0.1:0")
    }
    #expect(failure?.error.contains("this program was built without HTTP") == true)
  }
  #endif
}
