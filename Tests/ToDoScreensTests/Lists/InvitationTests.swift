import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// Invitations to lists of other users, and leaving these lists, in the screen of the lists.
@Suite struct InvitationTests {
  typealias Bench = SingleScreenBench<ListPicker>

  private let home = UserList(id: Sample.list(1), name: "Home")
  private let work: UserList = {
    var list = UserList(id: Sample.list(2), name: "Work", color: .blue)
    (list.role, list.ownerUser, list.isInvitation) = (.viewer, "ann", true)
    return list
  }()

  private var accepted: UserList {
    var list = work
    list.isInvitation = false
    return list
  }

  private func bench(moving item: ToDoItem? = nil, columns: Int = 80) -> Bench {
    var bench = Bench(ListPicker(shown: .inbox, moving: item), [], columns: columns)
    bench.environment.connection = .connected
    read([.inbox, home], in: &bench)
    #expect(bench.handle(.result(.invitationsRead(.success([work])))) == [])
    return bench
  }

  private func read(_ lists: [UserList], in bench: inout Bench) {
    #expect(bench.handle(.result(.listsRead(.success(ListSet(version: 4, lists: lists))))) == [])
  }

  private func failure(_ message: String) -> EffectFailure { EffectFailure(kind: .other, message: message) }

  @Test func invitation_isBelowLists_withUserAndRole() {
    var bench = bench()
    #expect(
      bench.drawing.texts == [
        "Lists · 1 invitation", ">* ● Inbox", "   ● Home", "   ● Work  ann invites you to view",
      ])
    bench.press(.end)
    #expect(bench.drawing.status == "3 of 3")
    #expect(bench.drawing.hints.prefix(2) == [KeyHint("a", "accept"), KeyHint("x", "decline")])
    bench.click(row: 3, column: 4)
    #expect(bench.screen.selected == work.id)
    let start = "ann invites you to view 'Work'; "
    #expect(bench.press(.enter) == [.message(start + "press a to accept, or x to decline")])
    #expect(bench.press(.character("s")) == [.message(start + "press a to accept, or x to decline")])
    bench.environment.takesCommands = true
    #expect(bench.press(.enter) == [.message(start + "type 'accept' or 'decline'")])
  }

  @Test func invitations_whenTheyCannotBeRead_areNotShown() {
    var bench = bench()
    #expect(bench.handle(.result(.invitationsRead(.failure(failure("no server"))))) == [])
    #expect(bench.drawing.texts.count == 4)
    #expect(bench.handle(.result(.invitationsRead(.success([])))) == [])
    #expect(bench.drawing.texts == ["Lists", ">* ● Inbox", "   ● Home"])
  }

  @Test func invitation_whenWithdrawn_isNoLongerSelectedOrAsked() {
    var bench = bench()
    bench.press(.end, .character("x"))
    #expect(bench.drawing.isAsking)
    bench.handle(.result(.invitationsRead(.success([]))))
    #expect(bench.screen.phase == .choosing && bench.screen.selected == home.id)
  }

  @Test func accept_makesInvitationOneOfLists() {
    var bench = bench()
    #expect(bench.press(.end, .character("a")) == [.perform(.changeSharing(work, .accepted))])
    #expect(
      bench.handle(.result(.sharingChanged(work, .accepted, .success(accepted)))) == [
        .perform(.readLists), .perform(.readInvitations),
      ])
    bench.handle(.result(.invitationsRead(.success([]))))
    read([.inbox, home, accepted], in: &bench)
    #expect(bench.press(.enter) == [.outcome(.chose(accepted))])
  }

  @Test func listThatIsLeft_isNoLongerShown() {
    var bench = bench()
    bench.press(.end)
    #expect(bench.handle(.result(.sharingChanged(work, .declined, .success(work)))).count == 2)
    #expect(bench.drawing.texts == ["Lists", " * ● Inbox", ">  ● Home"])
  }

  @Test(arguments: [true, false]) func x_asksBeforeListIsLeftOrDeclined(_ isInvitation: Bool) {
    var bench = bench()
    let question = isInvitation ? "Decline ann’s invitation to 'Work'? y/n" : "Leave ann’s list 'Work'? y/n"
    let list = isInvitation ? work : accepted
    if !isInvitation {
      bench.handle(.result(.invitationsRead(.success([]))))
      read([.inbox, home, accepted], in: &bench)
    }
    bench.press(.end)
    for key: KeyPress in [.character("n"), .escape] {
      #expect(bench.press(.character("x")) == [])
      #expect(bench.drawing.status == question)
      #expect(bench.drawing.isAsking && bench.drawing.hints == [])
      #expect(bench.press(.character("z")) == [] && bench.press(key) == [])
      #expect(bench.screen.phase == .choosing)
    }
    let change = isInvitation ? ListSharingChange.declined : .left
    #expect(bench.press(.character("x"), .character("y")) == [.perform(.changeSharing(list, change))])
  }

  @Test func ownList_isNeitherAcceptedNorLeft() {
    var bench = bench()
    #expect(bench.press(.character("a")) == [.message("this list is yours already; an invitation can be accepted")])
    #expect(bench.press(.character("x")) == [.message("this list is your own; 'todo lists delete' deletes it")])
    #expect(bench.press(.down, .character("s")) == [.outcome(.wantsMembers(of: home))])
  }

  @Test func answers_whileNothingCanBeChanged_areRefused() {
    var bench = bench()
    bench.press(.end)
    bench.environment.connection = .lost(since: Sample.start)
    #expect(bench.press(.character("a")) == [.message(ListMessage.notConnected)])
    #expect(bench.press(.character("x"), .character("y")) == [.message(ListMessage.notConnected)])
    bench.environment.isReadOnly = true
    for key in "ax" { #expect(bench.press(.character(key)) == [.message(ListMessage.readOnly)]) }
    #expect(bench.drawing.hints == [KeyHint("Esc", "back"), KeyHint("?", "keys")])
  }

  @Test func lists_toMoveItemTo_haveNoInvitations() {
    var bench = bench(moving: .listed(1, "Milk"))
    #expect(bench.screen.opened() == [.perform(.readLists)])
    #expect(bench.drawing.texts == ["Move 'Milk' to", ">* ● Inbox", "   ● Home"])
    for key in "axs" { #expect(bench.press(.character(key)) == []) }
  }

  @Test func ownList_namesItsMembers() {
    var bench = bench()
    var shared = home
    shared.members = [ListMember(user: "bob", role: .editor), ListMember(user: "cat", role: .viewer, isInvited: true)]
    read([.inbox, shared], in: &bench)
    #expect(bench.drawing.texts[2] == "   ● Home  shared with bob, cat (invited)")
  }
}
