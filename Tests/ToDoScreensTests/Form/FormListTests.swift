import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

/// The line and the form of a new item whose title names a list.
@Suite struct FormListTests {
  private let work = UserList(id: Sample.list(1), name: "Work")
  private let office = UserList(id: Sample.list(2), name: "Home office")

  private func read(_ lists: UserList...) -> ScreenEvent {
    .result(.listsRead(.success(ListSet(version: 1, lists: [.inbox] + lists))))
  }

  private func bench(_ text: String) -> FormBench {
    var bench = FormBench(FormScreen(line: nil), [])
    bench.type(text)
    return bench
  }

  @Test func lists_areReadOnce_forTitleThatMayNameOne() {
    var bench = FormBench(FormScreen(line: nil), [])
    #expect(!bench.type("Milk /").contains(.perform(.readLists)))
    #expect(bench.type("w").contains(.perform(.readLists)))
    #expect(bench.type("o") == [])
    var unconnected = FormBench(FormScreen(line: nil), [])
    unconnected.environment.connection = .connecting
    #expect(!unconnected.type("Milk /wo").contains(.perform(.readLists)))
    unconnected.environment.connection = .connected
    #expect(unconnected.type("r").contains(.perform(.readLists)))
  }

  @Test(arguments: [
    ("Buy milk /work", "  → Buy milk · in 'Work'", "Buy milk"),
    ("Call /home-office tomorrow", "  → Call · Thu 2026-04-30 · in 'Home office'", "Call"),
    ("Read /other", "", "Read /other"),
  ])
  func line_showsListThatExists(_ text: String, _ preview: String, _ title: String) {
    var bench = bench(text)
    #expect(!bench.drawing.texts.joined().contains("→ Buy"))
    bench.handle(read(work, office))
    #expect(bench.drawing.texts.last == preview)
    let content: ItemContent? =
      switch bench.press(.enter).first {
      case .perform(.add(let content, _))?: title == "Read /other" ? content : nil
      case .perform(.addElsewhere(let content, _, to: let list))?:
        list == (title == "Call" ? office : work) ? content : nil
      default: nil
      }
    #expect(content?.title == title)
    #expect(bench.drawing.status == "saving…")
  }

  @Test func enter_beforeListsAreRead_waitsForThem() {
    var bench = bench("Report @Rossi /work")
    bench.environment.connection = .connected
    #expect(bench.press(.enter) == [])
    #expect(bench.drawing.status == "reading the lists…")
    let actions = bench.handle(read(work))
    #expect(actions.contains(.perform(.locate("Rossi"))))
    guard
      case .perform(.addElsewhere(let content, let options, to: let list)) =
        bench.handle(.result(.located("Rossi", []))).first
    else { return _ = Issue.record("nothing was added") }
    #expect(content == ItemContent(title: "Report", location: Location(name: "Rossi")) && list == work)
    #expect(options == SaveOptions())
  }

  @Test func enter_afterEscapeWhileListsAreRead_addsNothing() {
    var bench = bench("Report /work")
    bench.press(.enter, .escape)
    #expect(bench.handle(read(work)) == [])
    #expect(bench.drawing.texts.last == "  → Report · in 'Work'")
  }

  @Test func lists_whenTheyCannotBeRead_areReadAgainToSave() {
    var bench = bench("Report /work")
    let failure = ScreenEvent.result(.listsRead(.failure(EffectFailure(kind: .unreachable, message: "no server"))))
    #expect(bench.handle(failure) == [.failure("no server")])
    #expect(bench.type("x") == [])
    #expect(bench.press(.enter) == [.perform(.readLists)])
    #expect(bench.handle(failure) == [.failure("no server")])
    #expect(bench.screen.phase == .editing)
    #expect(bench.press(.backspace, .enter) == [.perform(.readLists)])
    #expect(
      bench.handle(read(work)) == [.perform(.addElsewhere(ItemContent(title: "Report"), SaveOptions(), to: work))])
  }

  @Test func lists_ofServiceWithoutThem_leaveWordInTitle() {
    var bench = bench("Report /work")
    let failure = EffectFailure(kind: .unsupported, message: "the server does not support several lists")
    #expect(bench.handle(.result(.listsRead(.failure(failure)))) == [])
    #expect(bench.press(.enter) == [.perform(.add(ItemContent(title: "Report /work"), SaveOptions()))])
  }

  @Test func listsWithSameName_areRefusedWithReason() {
    var (shared, bench) = (UserList(id: Sample.list(3), name: "Work"), bench("Report /work"))
    (shared.role, shared.ownerUser) = (.editor, "ann")
    bench.handle(read(work, shared))
    #expect(bench.press(.enter) == [.message("'Work' is the name of 2 lists; add the item in its list")])
    #expect(bench.screen.phase == .editing)
  }

  @Test func severalLists_areSaidToBeUnread() {
    var bench = bench("Report /work /home-office")
    bench.handle(read(work, office))
    #expect(bench.drawing.texts.last == "  No list was read, because 'Work' and 'Home office' are more than one.")
  }

  @Test func tab_keepsListInTitleOfForm() {
    var bench = bench("Report tomorrow /work")
    bench.handle(read(work))
    bench.press(.tab)
    #expect(bench.screen.texts[.title].text == "Report /work")
    #expect(bench.drawing.texts.contains { $0.contains("→ Report · in 'Work'") })
    guard case .perform(.addElsewhere(let content, _, to: work)) = bench.press(.control("s")).first else {
      return _ = Issue.record("nothing was added")
    }
    #expect(content.title == "Report" && content.due != nil)
  }

  @Test func editedItem_isNotReadForLists() {
    var bench = FormBench(editing: FormBench.item(ItemContent(title: "Report")))
    #expect(!bench.type(" /work").contains(.perform(.readLists)))
    bench.handle(read(work))
    guard case .perform(.update(_, let edit, _, _)) = bench.press(.control("s")).first else {
      return _ = Issue.record("nothing was saved")
    }
    #expect(edit.title == "Report /work")
  }

  @Test func itemElsewhere_whenAdded_closesLine_andWhenItFails_asks() {
    var bench = bench("Report /work")
    bench.handle(read(work))
    bench.press(.enter)
    let duplicate = EffectFailure(kind: .duplicate, message: "an identical item already exists")
    bench.handle(.result(.addedElsewhere(work, .failure(duplicate))))
    #expect(bench.drawing.status == "The list contains this item already. Add it again? y/n")
    let options = SaveOptions(allowsDuplicate: true)
    #expect(
      bench.press(.character("y")) == [.perform(.addElsewhere(ItemContent(title: "Report"), options, to: work))])
    let item = FormBench.item(ItemContent(title: "Report"))
    #expect(bench.handle(.result(.addedElsewhere(work, .success(item)))).last == .outcome(.closed))
  }
}
