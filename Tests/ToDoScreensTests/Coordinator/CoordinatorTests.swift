import Testing
import ToDoModel
import ToDoTestScreens
import ToDoText

@testable import ToDoScreens

@Suite struct CoordinatorTests {
  private let munich = ToDoItem.listed(1, "Milk", at: (48.14, 11.58))
  private let plain = ToDoItem.listed(2, "Rent")

  /// A sequence of keys from the list, on whose first item the selection is, and the resulting screens.
  struct Path: CustomTestStringConvertible {
    let keys: [KeyPress]
    let stack: [String]

    init(_ keys: KeyPress..., to stack: String...) { (self.keys, self.stack) = (keys, ["list"] + stack) }

    var testDescription: String { "\(keys)" }
  }

  static let paths: [Path] = [
    Path(.enter, to: "detail"), Path(.enter, .escape), Path(.enter, .character("q")),
    Path(.enter, .character("e"), to: "detail", "form"), Path(.enter, .character("e"), .escape, to: "detail"),
    Path(.enter, .character("m"), to: "detail", "map"), Path(.enter, .character("m"), .escape, to: "detail"),
    Path(.enter, .character(" ")), Path(.character("m"), .enter, .character(" "), to: "map"),
    Path(.enter, .character("n")), Path(.enter, .character("?"), to: "detail", "help"),
    Path(.character("A"), to: "form"), Path(.character("A"), .escape), Path(.character("a"), to: "line"),
    Path(.character("a"), .escape), Path(.character("a"), .tab, to: "form"), Path(.character("a"), .tab, .escape),
    Path(.character("e"), to: "form"),
    Path(.character("e"), .escape), Path(.character("m"), to: "map"), Path(.character("m"), .escape),
    Path(.character("m"), .enter, to: "map", "detail"), Path(.character("m"), .enter, .escape, to: "map"),
    Path(.character("m"), .character("?"), .escape, to: "map"), Path(.character("?"), to: "help"),
    Path(.character("?"), .character("?")), Path(.character("n")), Path(.character("L"), to: "lists"),
    Path(.character("L"), .escape), Path(.character("L"), .character("?"), to: "lists", "help"),
  ]

  @Test(arguments: paths) func key_opensAndClosesScreens(path: Path) {
    var bench = CoordinatorBench([munich, plain])
    for key in path.keys { bench.press(key) }
    #expect(bench.stack == path.stack)
    #expect(!bench.effects.contains(.quit))
  }

  @Test func list_whenClosed_quits() {
    var bench = CoordinatorBench([munich])
    bench.press(.character("q"))
    #expect(bench.effects == [.quit])
  }

  @Test func detail_whenOpened_readsHistory() {
    var bench = CoordinatorBench([munich])
    bench.press(.enter)
    #expect(bench.effects == [.readHistory(munich.id)])
  }

  @Test func check_fromDetail_isOfferedForUndoInList() {
    var bench = CoordinatorBench([plain, ToDoItem.listed(3, "Bread")])
    bench.press(.enter, .character(" "))
    #expect(bench.effects == [.check(plain.id)])
    var done = plain
    done.completedAt = Sample.start
    bench.put(done, .checked)
    bench.send(.result(.changed(plain.id, .checked, .success(Revision(2)))))
    #expect(bench.shownLines.contains("Done (1)"))
    #expect(bench.statusLine.hasPrefix("checked 'Rent' · u undo"))
  }

  @Test func near_fromDetail_ordersListByDistance() {
    var bench = CoordinatorBench([munich, ToDoItem.listed(3, "Bread", at: (48.37, 10.9)), plain])
    bench.press(.enter, .character("n"))
    #expect(bench.stack == ["list"])
    #expect(bench.shownLines.contains { $0.contains("km") && $0.contains("Bread") })
  }

  @Test func form_whenSaved_returnsToPreviousScreenAndSelectsItem() {
    var bench = CoordinatorBench([munich, plain])
    bench.press(.character("A"))
    bench.type("Bread")
    bench.press(.control("s"))
    #expect(bench.effects == [.add(ItemContent(title: "Bread"), SaveOptions())])
    let added = ToDoItem.listed(3, "Bread", revision: 2)
    bench.send(.result(.saved(.success(added))))
    #expect(bench.stack == ["list"])
    #expect(bench.effects == [.storeDraft(nil)])
    bench.put(added, .added)
    #expect(bench.coordinator.list.selectedItem == added.id)
    #expect(bench.statusLine.hasPrefix("saved 'Bread' · u undo"))
  }

  @Test func message_afterNextKey_disappears() {
    var bench = CoordinatorBench([plain])
    bench.press(.character("n"))
    #expect(bench.statusLine.hasPrefix("the item has no coordinate"))
    bench.press(.down)
    #expect(bench.statusLine.hasPrefix("1 of 1"))
  }

  @Test func redrawKey_onEveryScreen_redraws() {
    var bench = CoordinatorBench([munich])
    for key in [KeyPress.enter, .character("e")] {
      bench.press(.control("l"))
      #expect(bench.effects == [.redraw])
      bench.press(key)
    }
  }

  @Test func change_whileListIsCovered_reachesIt() {
    var bench = CoordinatorBench([munich])
    bench.press(.character("?"))
    bench.put(plain, .added)
    bench.press(.escape)
    #expect(bench.shownLines[0] == "To do (2)")
  }

  @Test func connectionState_isShownInStatusLine() {
    var bench = CoordinatorBench([plain])
    bench.environment.connection = .lost(since: Sample.start)
    #expect(bench.statusLine.hasPrefix("server unreachable since 10:15 · 1 of 1"))
    bench.press(.character(" "))
    #expect(bench.statusLine.contains("not connected; nothing was changed"))
    bench.environment.connection = .connecting
    #expect(bench.statusLine.hasPrefix("connecting · "))
  }

  @Test func window_hasAsManyLinesAsRows() {
    var bench = CoordinatorBench([munich, plain])
    for rows in [0, 1, 2, 8, 50] {
      bench.environment.size = WindowSize(rows: rows, columns: 30)
      bench.send(.resized)
      #expect(bench.window.lines.count == rows)
    }
  }
}

// MARK: - Long messages

extension CoordinatorTests {
  @Test func message_whenItIsLong_isWrappedAboveInput() throws {
    var bench = CoordinatorBench([plain])
    bench.type("fsoonish")
    bench.press(.enter)
    let lines = bench.shownLines
    let start = try #require(lines.firstIndex { $0.hasPrefix("'soonish' is not a due date to filter by; use ") })
    #expect(start < lines.count - 1)
    let text = lines[start...].joined(separator: " ")
    #expect(text.contains(DueFilterParser.acceptedForms))
    #expect(lines[start - 1].hasPrefix("due: soonish"))
    #expect(bench.window.cursor == ScreenPosition(row: start - 1, column: 12))
    bench.press(.backspace)
    #expect(bench.shownLines[22].hasPrefix("due: soonis"))
  }

  @Test func question_inNarrowWindow_isWrapped() {
    var bench = CoordinatorBench([plain], rows: 12, columns: 40)
    bench.press(.character("e"), .character("x"), .control("s"))
    bench.send(.result(.saved(.failure(EffectFailure(kind: .duplicate, message: "")))))
    #expect(bench.shownLines.suffix(2) == ["The list contains this item already.", "Save it? y/n"])
  }

  @Test func questionOfFailedLookup_inNarrowWindow_isWrapped() {
    var bench = CoordinatorBench([plain], rows: 12, columns: 40)
    bench.press(.character("e"), .character("x"), .control("s"))
    let reason = "the geocoder is unavailable: it did not respond in time"
    bench.send(.result(.saved(.failure(EffectFailure(kind: .lookupFailed, message: reason)))))
    #expect(
      bench.shownLines.suffix(4) == [
        "The geocoder is unavailable: it did not", "respond in time. Save without a",
        "coordinate? Nothing looks it up later.",
        "y/n",
      ])
  }

  @Test func message_inLowWindow_takesHalfOfIt() {
    var bench = CoordinatorBench([plain], rows: 4, columns: 40)
    bench.type("fsoonish")
    bench.press(.enter)
    #expect(bench.shownLines[1].hasPrefix("due: soonish"))
    #expect(bench.shownLines[3].hasSuffix("…"))
  }
}

// MARK: - The line

extension CoordinatorTests {
  @Test func line_isBelowList() {
    var bench = CoordinatorBench([munich, plain], rows: 8, columns: 60)
    bench.press(.character("a"))
    bench.type("Bread tomorrow")
    #expect(bench.stack == ["list", "line"])
    #expect(
      bench.shownLines == [
        "To do (2)", ">  1  Milk  48.14,11.58", "   2  Rent", "", "", "add: Bread tomorrow",
        "  → Bread · Thu 2026-04-30",
        "Enter add · Tab all fields · Esc close",
      ])
    #expect(bench.window.cursor == ScreenPosition(row: 5, column: 19))
  }

  @Test func question_ofLine_isBelowIt() {
    var bench = CoordinatorBench([plain], rows: 10, columns: 40)
    bench.press(.character("a"))
    bench.type("Meeting thursday 28 november")
    bench.press(.enter)
    #expect(
      bench.shownLines.suffix(7) == [
        "", "The days or times don't combine. Which", "one do you mean?", "1  Meeting · tomorrow, Thu 30 Apr",
        "2  Meeting · Sat 28 Nov", "3  Meeting thursday 28 november · no due", "date",
      ])
  }

  @Test func line_whenClosed_isKept() {
    var bench = CoordinatorBench([munich])
    bench.press(.character("a"))
    bench.type("Bread")
    bench.press(.escape)
    var form = EditForm()
    form[.title] = "Bread"
    let draft = FormDraft(item: nil, form: form, isLine: true)
    #expect(bench.effects == [.storeDraft(nil), .storeDraft(draft)])
    bench.press(.character("e"), .escape)
    #expect(bench.effects == [.storeDraft(nil), .storeDraft(draft)])
    bench.press(.character("a"))
    #expect(bench.shownLines[21] == "add: Bread")
    bench.press(.control("u"), .escape)
    #expect(bench.effects == [.storeDraft(nil)])
    bench.press(.character("a"))
    #expect(bench.shownLines[21] == "add:")
  }

  @Test func draft_ofLine_isOffered() {
    var bench = CoordinatorBench([munich])
    var form = EditForm()
    form[.title] = "Bread"
    bench.send(.draftFound(FormDraft(item: nil, form: form, isLine: true)))
    #expect(bench.stack == ["list"])
    #expect(bench.statusLine.hasPrefix("press a to continue 'Bread'"))
    bench.press(.character("a"))
    #expect(bench.shownLines[21] == "add: Bread")
  }
}

// MARK: - Drafts

extension CoordinatorTests {
  @Test func draft_ofNewItem_opensForm() {
    var bench = CoordinatorBench()
    var form = EditForm()
    form[.title] = "Bread"
    bench.send(.draftFound(FormDraft(item: nil, form: form)))
    #expect(bench.stack == ["list", "form"])
    #expect(bench.statusLine.contains("restored from a draft"))
  }

  @Test func draft_ofEdit_opensFormWhenListIsLoaded() {
    var bench = CoordinatorBench()
    var form = EditForm()
    form[.title] = "Oat milk"
    bench.send(.draftFound(FormDraft(item: munich.id, form: form)))
    #expect(bench.stack == ["list"])
    bench.load([munich])
    #expect(bench.stack == ["list", "form"])
    bench.load([munich])
    #expect(bench.stack == ["list", "form"])
  }
}
