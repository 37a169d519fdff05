import Foundation
import Testing
import ToDoModel
import ToDoRules
import ToDoStores
import ToDoSupport
import ToDoTestSupport

@testable import todo

/// `todo share`, `todo unshare`, and the changes of `todo lists` for those with whom a list is shared.
@Suite(.unitTimeLimited) struct ShareCommandTests {
  private let ann: TestBench
  private let bob: TestBench
  private let directory: TemporaryDirectory
  private let items = MemoryToDoItemStore()
  private let accounts: MemoryAccountStore
  private let lists: ListDirectory

  init() async throws {
    directory = try TemporaryDirectory()
    accounts = MemoryAccountStore(lists: items)
    lists = ListDirectory(accounts)
    ann = try await Self.bench(of: "ann", items, accounts, lists, in: directory)
    bob = try await Self.bench(of: "bob", items, accounts, lists, in: directory)
    await ann.run("lists create Work blue")
  }

  private static func bench(
    of name: String, _ items: MemoryToDoItemStore, _ accounts: MemoryAccountStore, _ lists: ListDirectory,
    in directory: TemporaryDirectory
  ) async throws -> TestBench {
    let user = User.sample(name)
    try await accounts.addUser(user)
    return bench(of: user, items, accounts, lists, in: directory)
  }

  private static func bench(
    of user: User, _ items: MemoryToDoItemStore, _ accounts: MemoryAccountStore, _ lists: ListDirectory,
    in directory: TemporaryDirectory
  ) -> TestBench {
    let bench = TestBench(
      lists: LocalToDoListService(
        lists, defaultList: LocalToDoService(store: items, owner: user.list, clock: TestClock()),
        sharing: ListSharing(by: user.name, among: accounts)))
    let environment = [
      "XDG_STATE_HOME": "\(directory.path)/\(user.name)", "TODO_SERVER": "tcp://192.0.2.1:8636",
    ]
    bench.change { $0.environment = environment }
    return bench
  }

  @Test func share_invitesUser_whoAcceptsList() async {
    #expect(await ann.run("share work").error == "The list 'Work' is shared with nobody.\n")
    #expect(await ann.run("share work bob").output == "Invited bob to edit Work.\n")
    #expect(await ann.run("share work").output == "bob  can edit, invited\n")
    #expect(await ann.run("lists").output == "* Inbox\n  Work   blue, shared with bob (invited)\n")
    let lists = await bob.run("lists")
    #expect(lists.output == "* Inbox\n")
    #expect(lists.error == "ann invites you to edit 'Work': todo lists accept 'Work'\n")
    #expect(await bob.run("add Report --list work").status == .notFound)
    #expect(await bob.run("lists accept work").output == "Accepted the list Work.\n")
    #expect(await bob.run("lists").output == "* Inbox\n  Work   blue, ann's, can edit\n")
    #expect(await bob.run("add Report --list work").status == .success)
    #expect(await ann.run("share work").output == "bob  can edit\n")
    #expect(await bob.run("share work -q").output == "bob\n")
    #expect(await bob.run("share work").output == "ann  owner\nbob  can edit\n")
  }

  @Test func share_changesWhatUserCanDo() async {
    await ann.run("share work bob --can edit")
    #expect(await ann.run("share work bob").output == "bob is invited to edit Work already.\n")
    #expect(await ann.run("share work bob --can view").output == "bob is invited to view Work now.\n")
    await bob.run("lists accept work")
    #expect(await ann.run("share work bob").output == "bob can edit Work now.\n")
    #expect(await ann.run("share work bob --can view").output == "bob can view Work now.\n")
    #expect(await ann.run("share work bob --can view").output == "bob can view Work already.\n")
    let run = await bob.run("add Report --list work")
    #expect(run.status == .notAllowed)
    #expect(run.error == "Error: you can only view this list; ask its owner to let you edit it\n")
    #expect(await bob.run("lists rename work Office").status == .notAllowed)
    #expect(await bob.run("share work cat").error == "Error: only the list's owner can do that\n")
  }

  @Test func edit_byViewer_isRefusedBeforeEditorOpens() async {
    await ann.run("share work bob --can view")
    await bob.run("lists accept work")
    await ann.run("add Report --list work")
    bob.change {
      $0.isInteractive = true
      $0.editor = { _, _ in Issue.record("the editor was opened") }
    }
    let run = await bob.run("edit 1 --list work")
    #expect(run.status == .notAllowed)
    #expect(run.error == "Error: you can only view this list; ask its owner to let you edit it\n")
  }

  @Test(arguments: ["trash --empty --list work", "lists delete work"])
  func changeByMember_isRefusedBeforeItIsAsked(_ line: String) async {
    await ann.run("share work bob")
    await bob.run("lists accept work")
    bob.change { ($0.isInteractive, $0.answers) = (true, ["y"]) }
    #expect(
      await bob.run(line) == .init(status: .notAllowed, output: "", error: "Error: only the list's owner can do that\n")
    )
    #expect(await ann.run("trash --empty --list work").status == .usage)
  }

  @Test func unshare_endsMembership() async {
    await ann.run("share work bob")
    await bob.run("lists accept work")
    #expect(await ann.run("unshare work bob").output == "Work is no longer shared with bob.\n")
    #expect(await bob.run("lists").output == "* Inbox\n")
    let run = await ann.run("unshare work bob")
    #expect(run.status == .notFound)
    #expect(run.error == "Error: the list 'Work' is not shared with 'bob'\n")
  }

  @Test func lists_declineAndLeave_endMembership() async {
    await ann.run("share work bob")
    #expect(await bob.run("lists decline work").output == "Declined the list Work.\n")
    #expect(await bob.run("lists decline work").error == "Error: you have no invitations\n")
    await ann.run("share work bob")
    #expect(
      await bob.run("lists accept home").error
        == "Error: you are not invited to 'home'\n  You are invited to: Work.\n")
    await bob.run("lists accept work")
    await bob.run("use work")
    let run = await bob.run("lists leave work --yes")
    #expect(run.output == "Left the list Work.\n")
    #expect(run.error.contains("commands use the default list now"))
    #expect(await ann.run("share work").output == "")
    #expect(await ann.run("lists leave work").status == .usage)
  }

  @Test func leave_ofListThatItsOwnerHasDeleted_givesItUp() async {
    await ann.run("share work bob")
    await bob.run("lists accept work")
    #expect(await ann.run("lists delete work --yes").status == .success)
    #expect(await bob.run("lists").output == "* Inbox\n")
    #expect(await bob.run("lists --deleted").output.hasPrefix("Work  ann's, kept until "))
    let use = await bob.run("use work")
    #expect(use.status == .notFound)
    #expect(
      use.error
        == "Error: ann has deleted the list 'Work'\n  ann can restore it. Leave it with: todo lists leave 'Work'\n")
    let restore = await bob.run("lists restore work")
    #expect(restore.error == "Error: only the list's owner can do that\n")
    #expect(await bob.run("lists leave work --yes").output == "Left the list Work.\n")
    #expect(await bob.run("lists --deleted").error == "No list can be restored.\n")
    await ann.run("lists restore work")
    #expect(await ann.run("share work").output == "")
  }

  @Test(arguments: ["use work", "share work", "add Report --list work", "lists leave work", "lists rename work Office"])
  func list_thatIsNotAcceptedYet_isMentioned(_ line: String) async {
    await ann.run("share work bob")
    let run = await bob.run(line)
    #expect(run.status == .notFound)
    #expect(
      run.error.hasSuffix("no list is named 'work'\n  ann invites you to edit 'Work': todo lists accept 'Work'\n"))
    #expect(await bob.run("use home").error.contains("invites") == false)
  }

  @Test func lists_acceptedAlready_saysSo() async {
    await ann.run("share work bob")
    let id = await bob.run("lists accept work -q").output
    let accepted = await bob.run("lists accept work")
    #expect(accepted.status == .success)
    #expect(accepted.output == "You have accepted Work already. Use it with: todo use 'Work'\n")
    #expect(await bob.run("lists accept work -q").output == id)
    let declined = await bob.run("lists decline work")
    #expect(declined.status == .conflict)
    #expect(
      declined.error
        == "Error: you have accepted the list 'Work' already\n  Leave it with: todo lists leave 'Work'\n")
    await bob.run("lists create Mine")
    #expect(await bob.run("lists accept mine").error == "Error: you have no invitations\n")
  }

  private let unknownMove = """
    Error: the move was not undone: the history of your default list doesn't have it
      Another user moved the items, or the list was restored from a backup or replaced since.
    'todo undo 2 --list Work' also undoes the change before it.

    """

  @Test func undo_ofMoveByMemberToDefaultList_isRefused() async {
    await ann.run("share work bob")
    await bob.run("lists accept work")
    await bob.run("add Report --list work")
    #expect(await bob.run("move 1 inbox --list work").status == .success)
    let run = await ann.run("undo --list work")
    #expect(run.status == .notFound)
    #expect(run.error == unknownMove)
  }

  /// The user's default list is another one now, as after a backup of an earlier time was restored.
  @Test func undo_ofOwnMoveThatDefaultListLacks_isRefused() async throws {
    await ann.run("share work bob")
    await bob.run("lists accept work")
    await bob.run("add Report --list work")
    await bob.run("move 1 inbox --list work")
    _ = try await accounts.removeUser(.sample("bob"))
    let again = User(name: .sample("bob"), list: OwnerID("user-bob-again"), createdAt: .init(microseconds: 0))
    try await accounts.addUser(again)
    let bob = Self.bench(of: again, items, accounts, lists, in: directory)
    await ann.run("share work bob")
    await bob.run("lists accept work")
    let run = await bob.run("undo --list work")
    #expect(run.status == .notFound)
    #expect(run.error == unknownMove)
  }

  @Test func listInUse_whenNoLongerShared_isReported() async {
    await ann.run("share work bob")
    await bob.run("lists accept work")
    await bob.run("use work")
    await ann.run("unshare work bob")
    let run = await bob.run("list")
    #expect(run.status == .notFound)
    #expect(run.error.hasPrefix("Error: the list in use no longer exists, or is no longer shared with you\n"))
    await ann.run("share work bob")
    #expect(await bob.run("list").error.contains("ann invites you to edit 'Work': todo lists accept 'Work'\n"))
  }

  @Test func import_intoAListToView_isOnlyRefused() async throws {
    await ann.run("share work bob --can view")
    await bob.run("lists accept work")
    let file = directory.file("items.json")
    try Data(#"[{"title": "Milk"}]"#.utf8).write(to: URL(filePath: file))
    let run = await bob.run("import \(file) --list work")
    let added = await bob.run("add Milk --list work")
    #expect(run == added && run.status == .notAllowed, "\(run)")
  }

  @Test func lists_withNamesOfOthers_areAmbiguous() async {
    bob.change { $0.addedCount = 50 }
    await bob.run("lists create Work")
    await ann.run("share work bob")
    #expect(await bob.run("add Report --list work").status == .success)
    #expect(await bob.run("lists accept work").status == .success)
    let run = await bob.run("list --list work")
    #expect(run.error.contains("'work' is the name of 2 lists; use an ID"))
  }

  @Test(arguments: ["accept", "decline"]) func invitations_areCompleted(_ change: String) async {
    await ann.run("share work bob")
    #expect(await bob.run(["---complete", "zsh", "todo", "lists", change, ""]).output == "Work\n")
    #expect(await ann.run(["---complete", "zsh", "todo", "lists", change, ""]).output == "")
  }

  @Test func users_areCompleted() async {
    await ann.run("share work bob")
    await bob.run("lists accept work")
    await ann.run("lists create Home")
    for line in ["share home", "unshare work"] {
      let words = ["---complete", "zsh", "todo"] + line.split(separator: " ").map(String.init) + [""]
      #expect(await ann.run(words).output == "bob\n", "\(line)")
    }
    #expect(await ann.run(["---complete", "zsh", "todo", "unshare", "home", ""]).output == "")
    #expect(await bob.run(["---complete", "zsh", "todo", "share", "inbox", "a"]).output == "ann\n")
  }

  @Test func share_printsJSON() async {
    await ann.run("share work bob --can view")
    let shared = await ann.run("share work --json").output
    #expect(shared.contains("\"role\": \"owner\""))
    #expect(shared.contains("\"user\": \"bob\"") && shared.contains("\"invited\": true"))
    let lists = await bob.run("lists --json").output
    #expect(lists.contains("\"invitations\": [") && lists.contains("\"owner\": \"ann\""))
    #expect(lists.contains("\"role\": \"viewer\""))
  }

  @Test(
    arguments: [
      ("share inbox bob", .usage, "Error: 'Inbox' is the default list, which cannot be shared\n"),
      ("share work nobody", .notFound, "Error: there is no user nobody\n"),
      ("share work ann", .usage, "Error: the request is not valid\n  <user> must be another user: the list is yours\n"),
      ("share home bob", .notFound, nil), ("share work bob --can own", .usage, nil),
      ("share work --can edit", .usage, nil), ("share work bob --list work", .usage, nil),
    ] as [(String, ToDoSupport.ExitStatus, String?)])
  func share_whenRefused_says(_ line: String, _ status: ToDoSupport.ExitStatus, _ error: String?) async {
    let run = await ann.run(line)
    #expect(run.status == status)
    if let error { #expect(run.error == error) }
  }

  @Test func share_onServerWithoutUsers_saysToLogIn() async {
    let bench = TestBench()
    bench.change { $0.environment["TODO_SERVER"] = "tcp://192.0.2.1:8636" }
    await bench.run("lists create Work")
    let run = await bench.run("share work bob")
    #expect(run.status == .usage)
    #expect(
      run.error == "Error: the list 'Work' cannot be shared: log in as a user of the server to share lists\n")
  }

  @Test func share_withoutServer_isRefused() async {
    ann.change { ($0.environment["TODO_SERVER"], $0.environment["HOME"]) = (nil, "/home/ann") }
    #expect(
      await ann.run("share work bob").error == """
        Error: lists are shared on a server; choose one with '--server' or TODO_SERVER, and log in as one of its users
          'todo login' stores the token that its operator gives you.

        """)
  }
}
