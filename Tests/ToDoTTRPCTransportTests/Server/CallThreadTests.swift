import Testing
import ToDoRPC
import ToDoTestServers
import ToDoTestSupport

/// The threads on which calls resume after they were suspended.
@Suite(.timeLimited) struct CallThreadTests {
  @Test(arguments: [(true, "event loop"), (false, "another thread")])
  func call_whenSuspended_runsWhereItsMethodPermits(_ runsOnEventLoop: Bool, _ thread: String) async throws {
    let methods = MethodTable([TestMethods.thread(runsOnEventLoop: runsOnEventLoop)])
    try await TestServer.with(methods) { server in
      try await RawClient.with(server.endpoint) { client async throws in
        #expect(try await client.response(to: .request(1, "Thread", "")).text == thread)
      }
    }
  }
}
