import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// The coordinator while the user switches between lists.
@Suite struct ListSwitchingTests {
  private let work = UserList(id: Sample.list(1), name: "Work", color: .blue)
  private let milk = ToDoItem.listed(1, "Milk")
  private let report = ToDoItem.listed(1, "Report")

  private func lists(_ lists: UserList...) -> ScreenEvent {
    .result(.listsRead(.success(ListSet(version: 1, lists: [.inbox] + lists))))
  }

  /// Returns a bench that shows the list Work after the default list.
  private func bench(rows: Int = 8, columns: Int = 60) -> CoordinatorBench {
    var bench = CoordinatorBench([milk], rows: rows, columns: columns)
    bench.press(.character("L"))
    bench.send(lists(work))
    bench.press(.down, .enter)
    #expect(bench.effects == [.showList(work.id)])
    return bench
  }

  @Test func lists_areReadWhenTheyOpen() {
    var bench = CoordinatorBench([milk])
    bench.press(.character("L"))
    #expect(bench.effects == [.readLists, .readInvitations])
  }

  // MARK: Help

  @Test func help_beginsWithKeysOfItsScreen() {
    var bench = CoordinatorBench([milk], rows: 12, columns: 60)
    bench.press(.character("?"))
    #expect(bench.shownLines[0] == "List")
    bench.press(.escape, .enter, .character("?"))
    #expect(bench.shownLines[0] == "Item")
    bench.press(.escape, .escape, .character("L"))
    bench.send(lists(work))
    bench.press(.character("?"))
    #expect(bench.shownLines[0] == "Lists")
    bench.press(.escape, .down, .character("s"), .character("?"))
    #expect(bench.shownLines[0] == "Members")
  }

  // MARK: Sharing

  private var viewed: UserList {
    var list = work
    (list.role, list.ownerUser) = (.viewer, "ann")
    return list
  }

  @Test func listThatCanOnlyBeViewed_saysSo_andRefusesChangesAtOnce() {
    var bench = CoordinatorBench([milk], rows: 8, columns: 70)
    bench.press(.character("L"))
    bench.send(lists(viewed))
    bench.press(.down, .enter)
    bench.load([report])
    #expect(bench.shownLines[0] == "● Work  view only")
    #expect(!bench.statusLine.contains("a add") && !bench.statusLine.contains("check"))
    let refusal = "you can only view this list; ask ann to let you edit it"
    for key in "aAeDdpMSu " {
      bench.press(.character(key))
      #expect(bench.stack == ["list"] && bench.effects.isEmpty && bench.statusLine.hasPrefix(refusal), "\(key)")
    }
    bench.press(.enter)
    for key in "edMSu " {
      bench.press(.character(key))
      #expect(bench.stack == ["list", "detail"] && bench.statusLine.hasPrefix(refusal), "\(key)")
    }
    // The owner lets the user edit.
    bench.send(lists(work))
    bench.press(.character("e"))
    #expect(bench.stack == ["list", "detail", "form"])
  }

  private var invitation: UserList {
    var list = UserList(id: Sample.list(9), name: "Work")
    (list.role, list.ownerUser, list.isInvitation) = (.editor, "ann", true)
    return list
  }

  @Test func invitations_areNamedInHeader() {
    var bench = CoordinatorBench([milk], rows: 8, columns: 60)
    bench.send(.result(.invitationsRead(.success([invitation]))))
    #expect(bench.shownLines.prefix(3) == ["● Inbox  1 invitation: press L", "To do (1)", ">  1  Milk"])
    bench.environment.takesCommands = true
    #expect(bench.shownLines[0] == "● Inbox  1 invitation: type 'lists'")
    bench.send(.result(.invitationsRead(.failure(EffectFailure(kind: .unreachable, message: "no server")))))
    #expect(bench.shownLines[0].hasPrefix("● Inbox") && !bench.statusLine.contains("no server"))
    bench.send(.result(.invitationsRead(.success([]))))
    #expect(bench.shownLines[0] == "To do (1)")
  }

  @Test func invitations_inOtherList_areNamedAfterItsName() {
    var bench = bench(rows: 8, columns: 30)
    bench.send(.result(.invitationsRead(.success([invitation, invitation]))))
    #expect(bench.shownLines[0] == "● Work  2 invitations: press L")
    bench.environment.size.columns = 20
    #expect(bench.shownLines[0].hasPrefix("● Work  2 invita"))
  }

  @Test func acceptedList_canBeShown() {
    var bench = CoordinatorBench([milk], rows: 8, columns: 60)
    bench.environment.connection = .connected
    bench.press(.character("L"))
    bench.send(lists())
    bench.send(.result(.invitationsRead(.success([invitation]))))
    bench.press(.end, .character("a"))
    #expect(bench.effects == [.changeSharing(invitation, .accepted)])
    var accepted = invitation
    accepted.isInvitation = false
    bench.send(.result(.sharingChanged(invitation, .accepted, .success(accepted))))
    #expect(bench.effects == [.readLists, .readInvitations])
    #expect(bench.statusLine.hasPrefix("accepted 'Work'"))
    bench.send(.result(.invitationsRead(.success([]))))
    bench.send(lists(accepted))
    bench.press(.enter)
    #expect(bench.effects == [.showList(invitation.id)])
  }

  @Test func listThatIsShown_whenLeft_givesWayToDefaultList() {
    var bench = bench(rows: 8, columns: 80)
    var shared = work
    (shared.role, shared.ownerUser) = (.editor, "ann")
    bench.send(.result(.sharingChanged(shared, .left, .success(shared))))
    #expect(bench.effects == [.showList(.default)])
    #expect(bench.statusLine.hasPrefix("left 'Work'. This is the default list"))
    bench.send(.result(.sharingChanged(shared, .left, .success(shared))))
    #expect(bench.effects == [] && bench.statusLine.hasPrefix("left 'Work'"))
  }

  @Test func listThatIsShown_whenItsWatchEndsBeforeLeavingDoes_isSaidToBeLeft() {
    var shared = UserList(id: Sample.list(1), name: "Work", version: 4)
    (shared.role, shared.ownerUser) = (.editor, "ann")
    var bench = CoordinatorBench([milk], rows: 8, columns: 80)
    bench.environment.connection = .connected
    bench.press(.character("L"))
    bench.send(lists(shared))
    bench.press(.down, .enter)
    bench.press(.character("L"))
    bench.send(lists(shared))
    bench.press(.character("x"), .character("y"))
    #expect(bench.effects == [.changeSharing(shared, .left)])
    bench.send(.listDeleted)
    #expect(bench.effects == [.showList(.default)])
    #expect(!bench.statusLine.contains("no longer shares"))
    bench.send(.result(.sharingChanged(shared, .left, .success(shared))))
    #expect(bench.effects == [] && bench.statusLine.hasPrefix("left 'Work'"))
  }

  @Test func members_areReportedAbove_lists() {
    var bench = CoordinatorBench([milk], rows: 8, columns: 80)
    bench.environment.connection = .connected
    bench.press(.character("L"))
    bench.send(lists(work))
    bench.press(.down, .character("s"))
    #expect(bench.stack == ["list", "lists", "members"])
    bench.type("abob")
    bench.press(.enter)
    let change = ListSharingChange.shared(with: "bob", as: .editor)
    #expect(bench.effects == [.changeSharing(work, change)])
    let failure = EffectFailure(kind: .other, message: "there is no user bob")
    bench.send(.result(.sharingChanged(work, change, .failure(failure))))
    #expect(bench.effects == [] && bench.statusLine.hasPrefix("there is no user bob"))
    bench.press(.enter)
    var shared = work
    shared.members = [ListMember(user: "bob", role: .editor, isInvited: true)]
    bench.send(.result(.sharingChanged(work, change, .success(shared))))
    #expect(bench.effects == [.readLists, .readInvitations])
    #expect(bench.statusLine.hasPrefix("invited bob to edit 'Work'"))
    bench.send(.result(.sharingChanged(shared, .shared(with: "bob", as: .viewer), .success(shared))))
    #expect(bench.statusLine.hasPrefix("bob is invited to view 'Work' now"))
    bench.send(.result(.sharingChanged(shared, .unshared(with: "bob"), .success(work))))
    #expect(bench.statusLine.hasPrefix("'Work' is no longer shared with bob"))
    bench.press(.escape)
    #expect(bench.stack == ["list", "lists"])
  }

  @Test func otherList_replacesItems() {
    var bench = bench()
    #expect(bench.stack == ["list"])
    #expect(bench.shownLines.prefix(2) == ["● Work", "Waiting for the list"])
    bench.load([report])
    #expect(bench.shownLines.prefix(3) == ["● Work", "To do (1)", ">  1  Report"])
    #expect(bench.statusLine.hasPrefix("1 of 1"))
  }

  @Test func defaultList_hasNoHeader() {
    var bench = bench()
    bench.load([report])
    bench.press(.character("L"))
    bench.send(lists(work))
    #expect(bench.shownLines.prefix(3) == ["Lists", "   ● Inbox", ">* ● Work"])
    bench.press(.up, .enter)
    #expect(bench.effects == [.showList(.default)])
    bench.load([milk])
    #expect(bench.shownLines.prefix(2) == ["To do (1)", ">  1  Milk"])
  }

  @Test func shownList_whenChosen_remains() {
    var bench = CoordinatorBench([milk])
    bench.press(.character("L"))
    bench.send(lists(work))
    bench.press(.enter)
    #expect(bench.effects == [] && bench.stack == ["list"])
    #expect(bench.shownLines[1] == ">  1  Milk")
  }

  @Test func shownList_whenRenamed_hasItsNewNameInHeader() {
    var bench = bench()
    var renamed = work
    renamed.name = "Büro"
    bench.send(.result(.listSaved(.success(renamed))))
    #expect(bench.shownLines[0] == "● Büro")
    bench.send(lists(work))
    #expect(bench.shownLines[0] == "● Work")
  }

  @Test func failure_ofSaving_isShown() {
    var bench = CoordinatorBench([milk])
    bench.press(.character("L"))
    bench.send(lists(work))
    bench.type("nWork")
    bench.press(.enter)
    #expect(bench.effects == [.createList("Work")])
    bench.send(.result(.listSaved(.failure(EffectFailure(kind: .other, message: "there is a list Work")))))
    #expect(bench.statusLine.hasPrefix("there is a list Work"))
    #expect(bench.stack == ["list", "lists"])
  }

  // MARK: Changes

  @Test func undo_inOtherList_doesNotOfferEarlierChange() {
    var bench = CoordinatorBench([milk])
    bench.press(.character(" "))
    bench.send(.result(.changed(milk.id, .checked, .success(Revision(2)))))
    bench.press(.character("L"))
    bench.send(lists(work))
    bench.press(.down, .enter)
    bench.load([report])
    bench.press(.character("u"))
    #expect(bench.effects == [])
    #expect(bench.statusLine.hasPrefix("nothing was changed here"))
  }

  @Test func changeOfEarlierList_whenItEnds_cannotBeUndone() {
    var bench = CoordinatorBench([milk])
    bench.type("D")
    bench.type("y")
    #expect(bench.effects == [.deleteAll(.all)])
    bench.press(.character("L"))
    bench.send(lists(work))
    bench.press(.down, .enter)
    bench.load([report])
    bench.send(.result(.deletedAll(.all, .success(BulkDeletionResult(deletedCount: 1, revision: Revision(9))))))
    bench.press(.character("u"))
    #expect(bench.effects == [])
    // The changes of the list itself can.
    bench.press(.character(" "))
    bench.send(.result(.changed(report.id, .checked, .success(Revision(3)))))
    bench.press(.character("u"))
    #expect(bench.effects == [.revert(Revision(3))])
  }

  @Test func changeOfEarlierList_whenItFails_isReported() {
    var bench = CoordinatorBench([milk])
    bench.press(.character(" "), .character("L"))
    bench.send(lists(work))
    bench.press(.down, .enter)
    let failure = EffectFailure(kind: .other, message: "the list is full")
    bench.send(.result(.changed(milk.id, .checked, .failure(failure))))
    #expect(bench.statusLine.hasPrefix("the list is full"))
  }

  // MARK: The header

  @Test func header_leavesRoomForItems() {
    var bench = bench(rows: 6, columns: 40)
    bench.load((1...9).map { ToDoItem.listed($0, "Item \($0)") })
    bench.press(.end)
    #expect(bench.shownLines[0] == "● Work" && bench.shownLines[4] == ">  9  Item 9")
    bench.press(.character("/"))
    #expect(bench.shownLines[3] == ">  9  Item 9" && bench.shownLines[4] == "/")
    #expect(bench.window.cursor == ScreenPosition(row: 4, column: 1))
  }

  @Test func header_isNotAnItemToClick() {
    var bench = bench()
    bench.load([report, .listed(2, "Slides")])
    bench.press(.end)
    for (row, id) in [(0, 2), (1, 2), (2, 1), (3, 2)] as [(Int, UInt64)] {
      bench.send(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: row, column: 3))))
      #expect(bench.coordinator.list.selectedItem == Sample.id(id), "\(row)")
    }
  }

  @Test func header_inLowWindow_isOmitted() {
    var bench = bench(rows: 4)
    bench.load([report])
    #expect(bench.shownLines[0] == "To do (1)")
  }

  // MARK: Deletion

  @Test func deletedList_isReplacedByDefaultList() {
    var bench = bench(columns: 120)
    bench.load([report])
    bench.press(.enter)
    bench.send(.listDeleted)
    #expect(bench.effects == [.showList(.default)])
    #expect(bench.stack == ["list"])
    #expect(bench.statusLine.hasPrefix("the list 'Work' was deleted; restore it with 'todo lists restore'"))
    bench.load([milk])
    #expect(bench.shownLines[1].hasPrefix(">  1  Milk"))
  }

  @Test func list_thatCurrentListsLack_isDeleted() {
    var bench = CoordinatorBench([milk])
    let new = UserList(id: Sample.list(1), name: "Work", version: 4)
    bench.press(.character("L"))
    bench.send(lists(new))
    bench.press(.down, .enter)
    let old = ListSet(version: 3, lists: [.inbox])
    bench.send(.result(.listsRead(.success(old))))
    #expect(bench.effects == [] && bench.shownLines[0] == "● Work")
    bench.send(.result(.listsRead(.success(ListSet(version: 4, lists: [.inbox])))))
    #expect(bench.effects == [.showList(.default)])
    bench.send(.result(.listsRead(.success(ListSet(version: 5, lists: [])))))
    bench.send(.listDeleted)
    #expect(bench.effects == [])
  }

  @Test func list_thatIsNoLongerShared_isSaidToBe() {
    var bench = CoordinatorBench([milk], columns: 120)
    var shared = UserList(id: Sample.list(1), name: "Work", version: 4)
    (shared.role, shared.ownerUser) = (.viewer, "ann")
    bench.press(.character("L"))
    bench.send(lists(shared))
    bench.press(.down, .enter)
    bench.send(.listDeleted)
    #expect(bench.statusLine.hasPrefix("ann no longer shares the list 'Work' with you. This is the default list"))
  }

  @Test func form_whenListIsDeleted_remains() {
    var bench = bench()
    bench.load([report])
    bench.press(.character("A"))
    bench.type("Plan")
    bench.send(.listDeleted)
    #expect(bench.stack == ["list", "form"])
    bench.press(.control("s"))
    #expect(bench.effects == [.add(ItemContent(title: "Plan"), SaveOptions())])
  }

  // MARK: Items of other lists

  @Test(arguments: [false, true]) func newItem_ofNamedList_isAddedThere(_ isShown: Bool) {
    var bench = isShown ? bench() : CoordinatorBench([milk], rows: 8, columns: 60)
    if isShown { bench.load([report]) }
    bench.type("aPlan /work")
    bench.send(lists(work))
    bench.press(.enter)
    let (content, options) = (ItemContent(title: "Plan"), SaveOptions())
    #expect(bench.effects == [isShown ? .add(content, options) : .addElsewhere(content, options, to: work)])
    guard !isShown else { return }
    bench.send(.result(.addedElsewhere(work, .success(.listed(4, "Plan")))))
    #expect(bench.stack == ["list"])
    #expect(bench.statusLine.hasPrefix("added 'Plan' to 'Work'"))
    // The revision is one of the other list.
    bench.press(.character("u"))
    #expect(bench.effects == [])
  }

  @Test func newItem_ofNamedList_whenItFails_staysInLine() {
    var bench = CoordinatorBench([milk], rows: 8, columns: 60)
    bench.type("aPlan /work")
    bench.send(lists(work))
    bench.press(.enter)
    bench.send(.result(.addedElsewhere(work, .failure(EffectFailure(kind: .other, message: "the list is full")))))
    #expect(bench.stack == ["list", "line"] && bench.statusLine.hasPrefix("the list is full"))
  }

  // MARK: Lines

  @Test func lineCommands_createRenameAndShowLists() {
    var bench = CoordinatorBench([milk])
    #expect(bench.coordinator.inputs(for: .createList("Home")) == nil)
    bench.press(.character("L"))
    bench.send(lists(work))
    #expect(bench.statusLineOfLines.hasSuffix("enter · new NAME · rename NAME · back · help"))
    func run(_ command: LineCommand) { for input in bench.coordinator.inputs(for: command) ?? [] { bench.send(input) } }
    run(.createList("Home"))
    #expect(bench.effects == [.createList("Home")])
    bench.send(.result(.listSaved(.failure(EffectFailure(kind: .other, message: "it failed")))))
    // Letters would belong to the name.
    #expect(bench.coordinator.inputs(for: .keys([.character("m")])) == nil)
    run(.createList("House"))
    #expect(bench.effects == [.createList("House")])
    bench.send(.result(.listSaved(.success(UserList(id: Sample.list(2), name: "House", version: 7)))))
    run(.renameList("Home"))
    #expect(bench.effects == [.renameList(Sample.list(2), to: "Home", ifVersion: 7)])
  }

  @Test func lineCommands_shareLists() {
    var bench = CoordinatorBench([milk], columns: 120)
    bench.environment.connection = .connected
    func run(_ line: String) {
      for input in LineCommand(line).flatMap(bench.coordinator.inputs) ?? [] { bench.send(input) }
    }
    func isPossible(_ line: String) -> Bool { LineCommand(line).flatMap(bench.coordinator.inputs) != nil }
    for line in ["accept", "leave", "members", "unshare", "view", "invite bob"] {
      #expect(!isPossible(line), "\(line)")
    }
    bench.press(.character("L"))
    var shared = work
    shared.members = [ListMember(user: "bob", role: .editor)]
    bench.send(lists(shared))
    bench.send(.result(.invitationsRead(.success([invitation]))))
    bench.press(.end)
    run("accept")
    #expect(bench.effects == [.changeSharing(invitation, .accepted)])
    run("decline")
    #expect(!isPossible("accept"))
    run("yes")
    #expect(bench.effects == [.changeSharing(invitation, .declined)])
    bench.send(.result(.invitationsRead(.success([]))))
    #expect(bench.statusLineOfLines.contains("members"))
    run("members")
    #expect(bench.statusLineOfLines.contains("invite NAME · view · unshare"))
    run("invite cat")
    #expect(bench.effects == [.changeSharing(shared, .shared(with: "cat", as: .editor))])
    bench.send(.result(.sharingChanged(shared, .shared(with: "cat", as: .editor), .success(shared))))
    run("view")
    #expect(bench.effects == [.changeSharing(shared, .shared(with: "bob", as: .viewer))])
    run("unshare")
    run("yes")
    #expect(bench.effects == [.changeSharing(shared, .unshared(with: "bob"))])
  }
}

extension CoordinatorBench {
  /// The status line for a user who types commands.
  fileprivate var statusLineOfLines: String {
    var bench = self
    bench.environment.takesCommands = true
    return bench.statusLine
  }
}

// MARK: - Moving and drafts

extension ListSwitchingTests {
  @Test(arguments: [false, true]) func item_isMovedToChosenList(_ fromDetail: Bool) {
    var bench = CoordinatorBench([milk])
    if fromDetail { bench.press(.enter) }
    bench.press(.character("M"))
    #expect(bench.effects == [.readLists])
    bench.send(lists(work))
    #expect(bench.shownLines[0] == "Move 'Milk' to")
    bench.press(.enter)
    #expect(bench.effects == [])
    #expect(bench.statusLine.hasPrefix("the item is in this list"))
    bench.press(.down, .enter)
    #expect(bench.effects == [.move(milk.id, from: .default, to: work)])
    #expect(bench.stack == ["list"])
    bench.delete(milk.id)
    bench.send(.result(.changed(milk.id, .moved(to: "Work"), .success(Revision(2)))))
    #expect(bench.statusLine.hasPrefix("moved 'Milk' to 'Work'"))
    bench.press(.character("u"))
    #expect(bench.effects == [.revert(Revision(2))])
  }

  @Test func move_whenItFails_isReported() {
    var bench = CoordinatorBench([milk])
    bench.press(.character("M"))
    bench.send(lists(work))
    bench.press(.down, .enter)
    let failure = EffectFailure(kind: .duplicate, message: "an identical item already exists: 4: Milk")
    bench.send(.result(.changed(milk.id, .moved(to: "Work"), .failure(failure))))
    #expect(bench.statusLine.hasPrefix("an identical item already exists"))
  }

  private func draft(of list: UserList?, item: ItemID? = nil, isLine: Bool = false) -> FormDraft {
    var form = EditForm()
    form[.title] = "Bread"
    return FormDraft(
      item: item, form: form, isLine: isLine, list: list.map { DraftList(id: $0.id, name: $0.name) })
  }

  @Test func draft_ofOtherList_isSavedThere() {
    var bench = CoordinatorBench([milk])
    bench.send(.draftFound(draft(of: work)))
    #expect(bench.effects == [.showList(work.id)])
    #expect(bench.stack == ["list", "form"])
    #expect(bench.statusLine.contains("this draft belongs to the list 'Work', which is shown now"))
    bench.load([report])
    #expect(bench.stack == ["list", "form"])
    #expect(bench.coordinator.list.list.id == work.id)
  }

  @Test func draft_ofEditInOtherList_opensWhenThatIsLoaded() {
    var bench = CoordinatorBench([milk])
    bench.send(.draftFound(draft(of: work, item: Sample.id(2))))
    #expect(bench.effects == [.showList(work.id)])
    #expect(bench.stack == ["list"])
    bench.load([report, .listed(2, "Letter")])
    #expect(bench.stack == ["list", "form"])
    #expect(bench.effects == [])
  }

  @Test func draft_ofDefaultList_isSavedThere() {
    var bench = bench()
    bench.load([report])
    bench.send(.draftFound(draft(of: nil)))
    #expect(bench.effects == [.showList(.default)])
    #expect(bench.statusLine.contains("this draft belongs to the default list"))
  }

  @Test func draft_whoseListWasDeleted_opensInDefaultList() {
    var bench = CoordinatorBench([milk])
    bench.send(.draftFound(draft(of: work, item: milk.id)))
    bench.send(.listDeleted)
    #expect(bench.effects == [.showList(.default)])
    bench.load([milk])
    #expect(bench.effects == [])
    #expect(bench.stack == ["list", "form"])
  }

  @Test func draft_ofLineInOtherList_saysSo() {
    var bench = CoordinatorBench([milk])
    bench.send(.draftFound(draft(of: work, isLine: true)))
    #expect(bench.effects == [])
    #expect(bench.statusLine.hasPrefix("press a to continue 'Bread' from the list 'Work' here"))
  }

  @Test func draft_namesItsList() {
    var bench = bench()
    bench.load([report])
    bench.type("aBread")
    bench.press(.escape)
    #expect(
      bench.effects.contains { effect in
        if case .storeDraft(let draft?) = effect { draft.list == DraftList(id: work.id, name: "Work") } else { false }
      })
  }
}
