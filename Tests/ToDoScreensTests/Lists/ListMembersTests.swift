import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct ListMembersTests {
  typealias Bench = SingleScreenBench<ListMembers>

  private let bob = ListMember(user: "bob", role: .editor)
  private let cat = ListMember(user: "cat", role: .viewer, isInvited: true)

  private func list(_ members: [ListMember], of owner: String? = nil) -> UserList {
    var list = UserList(id: Sample.list(1), name: "Work")
    (list.members, list.ownerUser, list.role) = (members, owner ?? "", owner == nil ? .owner : .editor)
    return list
  }

  private func bench(_ list: UserList, rows: Int = 24, columns: Int = 80) -> Bench {
    var bench = Bench(ListMembers(list), [], rows: rows, columns: columns)
    bench.environment.connection = .connected
    return bench
  }

  private func type(_ text: String, in bench: inout Bench) { for key in text { bench.press(.character(key)) } }

  private func message(_ actions: [ScreenAction]) -> String? {
    guard actions.count == 1, case .message(let text) = actions[0] else { return nil }
    return text
  }

  // MARK: Members

  @Test func members_areShownWithRoles() {
    var bench = bench(list([bob, cat]))
    #expect(
      bench.drawing.texts == ["Members of 'Work'", "  you  owner", "> bob  can edit", "  cat  can view, invited"])
    #expect(bench.drawing.status == "1 of 2")
    #expect(
      bench.drawing.hints.map(\.action) == ["invite", "can view", "stop sharing", "back", "keys"])
    bench.press(.down)
    #expect(bench.drawing.texts.last == "> cat  can view, invited")
    #expect(bench.drawing.hints[1] == KeyHint("e", "can edit"))
    for key: KeyPress in [.home, .end, .pageUp, .pageDown, .up, .up, .character("j"), .character("k")] {
      bench.press(key)
    }
    #expect(bench.drawing.status == "1 of 2")
    bench.turnWheel(.wheelDown)
    #expect(bench.drawing.status == "2 of 2")
    bench.click(row: 2, column: 1)
    bench.click(row: 1, column: 1)
    #expect(bench.drawing.status == "1 of 2")
    #expect(bench.press(.escape) == [.outcome(.closed)])
    #expect(bench.press(.character("q")) == [.outcome(.closed)])
    #expect(bench.press(.character("?")) == [.outcome(.wantsHelp)])
  }

  @Test func listOfAnotherUser_canOnlyBeRead() {
    var bench = bench(list([bob], of: "ann"))
    #expect(bench.drawing.texts == ["Members of 'Work'", "  ann  owner", "> bob  can edit"])
    #expect(bench.drawing.hints == [KeyHint("Esc", "back"), KeyHint("?", "keys")])
    for key in "aevd" {
      #expect(bench.press(.character(key)) == [.message("only ann can change who shares the list")])
    }
  }

  @Test func list_whenReadAgain_hasItsMembers() {
    var bench = bench(list([]))
    #expect(bench.drawing.texts == ["Members of 'Work'", "  you  owner"])
    #expect(bench.drawing.status == "the list is shared with nobody")
    bench.handle(.result(.listsRead(.success(ListSet(version: 3, lists: [.inbox, list([bob])])))))
    #expect(bench.drawing.texts.last == "> bob  can edit")
    bench.handle(.result(.listsRead(.success(ListSet(version: 4, lists: [.inbox])))))
    #expect(bench.drawing.texts.last == "> bob  can edit")
  }

  // MARK: Changes

  @Test func invitation_isSentWithRole() {
    let before = list([bob])
    var bench = bench(before, rows: 8, columns: 40)
    type("a cat ", in: &bench)
    #expect(bench.drawing.texts.last == "invite:  cat   can edit")
    #expect(bench.drawing.cursor == ScreenPosition(row: 6, column: 13))
    #expect(bench.drawing.hints == [KeyHint("Enter", "invite"), KeyHint("Tab", "can view"), KeyHint("Esc", "cancel")])
    #expect(bench.press(.tab) == [])
    #expect(bench.drawing.texts.last == "invite:  cat   can view")
    #expect(bench.press(.enter) == [.perform(.changeSharing(before, .shared(with: "cat", as: .viewer)))])
    #expect(bench.drawing.status == "inviting" && bench.press(.escape) == [])
    bench.handle(.result(.sharingChanged(before, .shared(with: "cat", as: .viewer), .success(list([bob, cat])))))
    #expect(bench.screen.phase == .choosing)
    #expect(bench.drawing.texts.last == "> cat  can view, invited")
  }

  @Test func invitation_whenItFails_canBeCorrected() {
    let before = list([])
    var bench = bench(before)
    type("a", in: &bench)
    bench.handle(.paste("nobody"))
    bench.press(.enter)
    let failure = EffectFailure(kind: .other, message: "there is no user nobody")
    let change = ListSharingChange.shared(with: "nobody", as: .editor)
    #expect(bench.handle(.result(.sharingChanged(before, change, .failure(failure)))) == [])
    #expect(bench.drawing.texts.last == "invite: nobody  can edit")
    #expect(bench.press(.escape) == [] && bench.screen.phase == .choosing)
  }

  @Test func invitation_withoutName_isNotSent() {
    var bench = bench(list([]))
    type("a ", in: &bench)
    #expect(message(bench.press(.enter)) == "type the name of a user of the server")
    type("bob", in: &bench)
    bench.environment.connection = .connecting
    #expect(message(bench.press(.enter)) == ListMessage.notConnected)
    guard case .inviting = bench.screen.phase else { return _ = Issue.record("\(bench.screen.phase)") }
  }

  @Test func keys_changeWhatMemberCanDo() {
    let shared = list([bob, cat])
    var bench = bench(shared)
    #expect(message(bench.press(.character("e"))) == "bob can edit the list already")
    #expect(bench.press(.character("v")) == [.perform(.changeSharing(shared, .shared(with: "bob", as: .viewer)))])
    bench.press(.down)
    #expect(message(bench.press(.character("v"))) == "cat is invited to view the list already")
    #expect(bench.press(.character("e")) == [.perform(.changeSharing(shared, .shared(with: "cat", as: .editor)))])
  }

  @Test(arguments: [
    ("bob", "bob can view 'Work' now"), ("cat", "cat is invited to view 'Work' now"),
    ("dan", "invited dan to view 'Work'"),
  ])
  func change_isNamedAsWhatItMeansForTheUser(_ user: String, _ text: String) {
    #expect(ListSharingChange.shared(with: user, as: .viewer).text(list([bob, cat])) == text)
  }

  @Test func unsharing_isAsked() {
    let shared = list([bob, cat])
    var bench = bench(shared)
    #expect(bench.press(.character("d")) == [])
    #expect(bench.drawing.status == "Stop sharing 'Work' with bob? y/n" && bench.drawing.isAsking)
    #expect(bench.press(.character("z")) == [] && bench.press(.character("n")) == [])
    #expect(
      bench.press(.character("d"), .character("y")) == [
        .perform(.changeSharing(shared, .unshared(with: "bob")))
      ])
    bench.handle(.result(.sharingChanged(shared, .unshared(with: "bob"), .success(list([cat])))))
    #expect(bench.drawing.texts.last == "> cat  can view, invited")
  }

  @Test func keys_withoutMembers_sayThatThereAreNone() {
    var bench = bench(list([]))
    for key in "evd" { #expect(message(bench.press(.character(key))) == "the list is shared with nobody") }
  }

  @Test func changes_thatAreImpossible_areRefusedWithReason() {
    var local = bench(list([bob]))
    local.environment.connection = .local
    #expect(
      message(local.press(.character("a"))) == "lists are shared on a server; log in as a user of one with 'todo login'"
    )
    var inbox = bench(.inbox)
    #expect(message(inbox.press(.character("a"))) == "the default list cannot be shared")
    var readOnly = bench(list([bob]))
    readOnly.environment.isReadOnly = true
    for key in "aevd" { #expect(message(readOnly.press(.character(key))) == ListMessage.readOnly) }
  }

  @Test(arguments: [(1, 10), (2, 2), (3, 5), (4, 12), (12, 40)]) func drawing_staysInWindow(rows: Int, columns: Int) {
    let members = (1...20).map { ListMember(user: "user \u{7} 買い物 \($0)", role: .viewer, isInvited: true) }
    var bench = bench(list(members), rows: rows, columns: columns)
    for key: KeyPress in [.down, .end, .up, .character("d"), .character("n"), .character("a"), .character("x")] {
      bench.press(key)
      #expect(bench.drawing.lines.count <= max(0, rows - 1))
      #expect(bench.drawing.texts.allSatisfy { $0.displayWidth <= columns && !$0.contains("\u{7}") })
    }
  }

  @Test func drawing_whenMembersDoNotFit_showsSelection() {
    let members = (10...30).map { ListMember(user: "user\($0)", role: .viewer) }
    var bench = bench(list(members), rows: 6)
    bench.press(.end)
    #expect(bench.drawing.texts.last == "> user30  can view")
    bench.press(.home)
    #expect(bench.drawing.texts[1] == "> user10  can view")
  }
}
