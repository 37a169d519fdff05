import Synchronization
import Testing
import ToDoModel
import ToDoRPC
import ToDoTestSupport

@testable import todo

/// `todo login --web`.
@Suite(.unitTimeLimited) struct LoginWebTests {
  private struct Links: SignInService {
    var origin = "https://todo.example"
    var failure: RPCError?

    func createSignInLink() async throws -> SignInLink {
      if let failure { throw failure }
      return SignInLink(path: "/#sign-in=SECRET", origin: origin, expiresAt: TestBench.start)
    }
  }

  private final class Runs: Sendable {
    private let runs = Mutex<[(arguments: [String], environment: [String: String])]>([])

    var all: [(arguments: [String], environment: [String: String])] { runs.withLock(\.self) }

    func add(_ arguments: [String], _ environment: [String: String]) {
      runs.withLock { $0.append((arguments, environment)) }
    }
  }

  private let runs = Runs()

  private func bench(_ links: Links = Links(), isTerminal: Bool = false) -> TestBench {
    let bench = TestBench()
    bench.change { [runs] state in
      state.environment["TODO_SERVER"] = "tcp://192.0.2.1:8636"
      state.signIn = links
      state.isInteractive = isTerminal
      state.runProgram = { runs.add($0, $1) }
    }
    return bench
  }

  @Test func link_isPrinted() async {
    let run = await bench().run("login --web")
    #expect(run.status == .success && run.output == "https://todo.example/#sign-in=SECRET\n")
    #expect(run.error.hasPrefix("Open it in a browser within 5 minutes."))
    #expect(runs.all.isEmpty)
    #expect(await bench().run("login --web -q").error == "")
    #expect(
      await bench().run("login --web --json").output == """
        {
          "url": "https://todo.example/#sign-in=SECRET",
          "expiresAt": "2026-04-29T08:15:42Z"
        }

        """)
  }

  @Test func terminal_showsACode_whoseSecretIsInNoArgument() async throws {
    #expect(await bench(isTerminal: true).run("login --web").status == .success)
    let run = try #require(runs.all.first)
    #expect(runs.all.count == 1 && run.arguments.contains { $0.contains("qrencode") })
    #expect(run.arguments.allSatisfy { !$0.contains("SECRET") })
    #expect(run.environment == ["SIGN_IN_LINK": "https://todo.example/#sign-in=SECRET"])
  }

  @Test func unknownAddress_isSaid() async {
    let run = await bench(Links(origin: ""), isTerminal: true).run("login --web")
    #expect(run.output == "/#sign-in=SECRET\n" && run.error.contains("write https:// and its host before it"))
    #expect(runs.all.isEmpty)
  }

  @Test func serverWithoutPage_orListOnThisMachine_isRefused() async {
    let failure = RPCError(.unimplemented, reason: "METHOD_NOT_IMPLEMENTED", "no")
    #expect(await bench(Links(failure: failure)).run("login --web").error.contains("this server has no page"))
    #expect(await TestBench().run("login --web").status == .usage)
  }
}
