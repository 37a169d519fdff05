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
    let description = try CurlRun(["--compressed", url + "/.well-known/openapi.json"])
    #expect(description.output.contains("content-encoding: gzip\r\n"))
    #expect(description.body.contains(#""openapi": "3.1.0""#))
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

  @Test func session_ofPage_endsWhenItsTokenIsRevoked() async throws {
    try await withTemporaryDirectory { directory in
      let store = "sqlite:\(directory)/items.sqlite"
      #expect(try ProgramRun("todo-server", "user", "add", "ann", "--store", store).status == 0)
      let output = try ProgramRun("todo-server", "token", "add", "ann", "--store", store).output
      let token = try #require(output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("todo_") })
      let server = try ServerProcess(
        "serve", "--listen", "tcp://127.0.0.1:0", "--http-listen", "127.0.0.1:0", "--store", store)
      let prefix = "listening on http+tcp://"
      let url = "http://" + (try #require(server.announced.first { $0.hasPrefix(prefix) })).dropFirst(prefix.count)
      let jar = ["--cookie", "\(directory)/jar", "--cookie-jar", "\(directory)/jar"]
      let (json, own) = (["--header", "content-type: application/json", "--data"], ["--header", "origin: \(url)"])
      #expect(try CurlRun(jar + [url + "/session"]).status == 401)
      let signIn = jar + json + [#"{"token":"\#(token)"}"#, url + "/session"]
      #expect(try CurlRun(signIn).status == 403)
      #expect(try CurlRun(signIn + own).status == 204)
      #expect(try CurlRun(jar + [url + "/session"]).body == #"{"user":"ann"}"#)
      let list = jar + json + ["{}", url + "/todo.v1.ToDoService/ListItems"]
      #expect(try CurlRun(list).status == 401)
      let page = list + own
      #expect(try CurlRun(page).status == 200)
      let id = String(token.split(separator: "_")[1])
      #expect(try ProgramRun("todo-server", "token", "revoke", id, "--store", store).status == 0)
      while try CurlRun(page).status == 200 {}
      #expect(try CurlRun(page).status == 401)
      #expect(server.terminate() == 0)
    }
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
