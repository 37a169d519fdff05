import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo ui` of Bob, whom Ann invites to a list.
@Suite(.unitTimeLimited) struct InvitationInterfaceTests {
  private let bench: TestBench
  private let probe = ScreenProbe(rows: 12, columns: 80)
  private let ann: LocalToDoListService
  private let work: UserList
  private let directory: TemporaryDirectory

  init() async throws {
    let users = SharingUsers()
    ann = try await users.add("ann")
    bench = TestBench(lists: try await users.add("bob"))
    let list = try await ann.createList(NewList(name: "Work"))
    work = try await ann.shareList(list.id, with: "bob", as: .editor)
    directory = try TemporaryDirectory()
    probe.attach(to: bench)
    let path = directory.path
    bench.change { state in
      state.environment["XDG_STATE_HOME"] = path
      state.connectionStates = { AsyncStream { $0.yield(.connected) } }
    }
  }

  @Test func invitation_isAccepted_andListIsLeft() async throws {
    _ = try await ann.items(in: work.id).addItem(NewItem(id: TestBench.id(7), content: ItemContent(title: "Report")))
    async let run = bench.run("ui")
    await probe.waitForWindow(with: "● Inbox  1 invitation: press L")
    probe.type("L")
    await probe.waitForWindow(with: "Work  ann invites you to edit")
    probe.type("Ga")
    await probe.waitForWindow(with: "accepted 'Work'")
    probe.type("\r")
    await probe.waitForWindow(with: "Report")
    #expect(try await ann.list(work.id).members == [ListMember(user: "bob", role: .editor)])
    probe.type("L")
    await probe.waitForWindow(with: "ann's, can edit")
    probe.type("x")
    await probe.waitForWindow(with: "Leave ann’s list 'Work'? y/n")
    probe.type("y")
    await probe.waitForWindow(with: "This is the default list")
    #expect(try await ann.list(work.id).members == [])
    probe.type("q")
    #expect(await run.status == .success)
  }
}
