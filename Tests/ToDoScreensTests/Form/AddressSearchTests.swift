import Testing
import ToDoModel
import ToDoTestScreens

@testable import ToDoScreens

@Suite struct AddressSearchTests {
  private let query = GeocodeQuery(address: "Neustadt", limit: 5)

  private func found() -> FormBench {
    var bench = FormBench()
    bench.search("Neustadt", FormBench.candidates)
    return bench
  }

  @Test func typedAddress_afterPause_isGeocoded() {
    var bench = FormBench()
    let first = bench.type("N", into: .address)
    #expect(
      first == [
        .perform(.startTimer(.addressTyped, .milliseconds(300))), .perform(.startTimer(.draft, .seconds(1))),
      ])
    let second = bench.type("eustadt")
    #expect(second == [.perform(.startTimer(.addressTyped, .milliseconds(300)))])
    let search = bench.handle(.timer(.addressTyped))
    #expect(search == [.perform(.geocode(query))])
    #expect(bench.drawing.texts.contains { $0.contains("searching…") })
  }

  @Test func geocoding_whenSuperseded_isCancelled() {
    var bench = FormBench()
    bench.type("Neustadt", into: .address)
    bench.handle(.timer(.addressTyped))
    let actions = bench.type("x")
    #expect(
      actions == [.perform(.cancelGeocoding), .perform(.startTimer(.addressTyped, .milliseconds(300)))])
    bench.handle(.result(.geocoded(query, .success(FormBench.places()))))
    #expect(bench.screen.search.state == .waiting)
  }

  @Test(
    arguments: [
      ("", [.cancelTimer(.addressTyped)]), ("g", [.cancelGeocoding]), ("r", []),
    ] as [(String, [Effect])])
  func address_whenCleared_endsSearch(_ progress: String, _ expected: [Effect]) {
    var bench = FormBench()
    bench.type("Neustadt", into: .address)
    if progress != "" { bench.handle(.timer(.addressTyped)) }
    if progress == "r" { bench.handle(.result(.geocoded(query, .success(FormBench.places([]))))) }
    let actions = bench.press(.control("u"))
    #expect(actions == expected.map(ScreenAction.perform))
    #expect(bench.screen.search == AddressSearch())
  }

  @Test func movedCursor_keepsCandidates() {
    var bench = found()
    let actions = bench.press(.left)
    #expect(actions.isEmpty)
    #expect(bench.screen.search.candidates == FormBench.candidates)
  }

  @Test func search_whenServerIsUnreachable_isNotStarted() {
    var bench = FormBench()
    bench.environment.connection = .connecting
    bench.type("Neustadt", into: .address)
    let actions = bench.handle(.timer(.addressTyped))
    #expect(actions.isEmpty)
    #expect(bench.screen.search.state == .failed("the server is unreachable"))
  }

  @Test func keys_chooseCandidate() {
    var bench = found()
    var highlights: [Int?] = []
    let keys: [KeyPress] = [.down, .down, .up, .up, .down, .down]
    for key in keys {
      bench.press(key)
      highlights.append(bench.screen.search.highlighted)
    }
    #expect(highlights == [0, 1, 0, nil, 0, 1])
    bench.press(.enter)
    #expect(bench.screen.focus == .address)
    #expect(bench.screen.search.taken == 1)
    #expect(bench.screen.texts[.address].text == "Neustadt")
    bench.press(.tab)
    #expect(bench.screen.focus == .note)
  }

  @Test func down_afterLastCandidate_leavesField() {
    var bench = found()
    bench.press(.down, .down, .down)
    #expect(bench.screen.focus == .note)
    #expect(bench.screen.search.highlighted == nil)
    bench.press(.up, .up)
    #expect(bench.screen.focus == .place)
  }

  @Test(arguments: [1, 2]) func takenCandidate_isSaved(_ downs: Int) {
    var bench = found()
    for _ in 0..<downs { bench.press(.down) }
    bench.press(.enter)
    bench.type("x", into: .title)
    let location = Location(address: "Neustadt", at: FormBench.candidates[downs - 1])
    let content = ItemContent(title: "x", location: location)
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.add(content, SaveOptions()))])
  }

  /// Takes the second candidate, and returns the draft.
  private func draftAfterTaking(_ bench: inout FormBench) -> FormDraft? {
    bench.press(.down, .down, .enter)
    for case .perform(.storeDraft(let draft)) in bench.handle(.timer(.draft)) { return draft }
    return nil
  }

  @Test func takenCandidate_afterCrash_isSaved() throws {
    var bench = found()
    bench.type("x", into: .title)
    bench.type("", into: .address)
    bench.handle(.timer(.draft))
    let second = FormBench.candidates[1]
    let draft = try #require(draftAfterTaking(&bench))
    let provenance = Location.Provenance(of: second)
    #expect(
      draft.place == ChosenPlace(coordinate: second.coordinate, provenance: provenance, name: "Neustadt, Romania"))
    var reopened = FormBench(draft, of: nil)
    #expect(reopened.drawing.texts.contains("           → Neustadt, Romania"))
    let restored = reopened.handle(.timer(.draft))
    #expect(restored.isEmpty)
    reopened.type("!")
    #expect(
      reopened.handle(.timer(.draft)).contains { action in
        if case .perform(.storeDraft(let draft?)) = action {
          draft.place?.coordinate == second.coordinate
        } else {
          false
        }
      })
    let content = ItemContent(title: "x!", location: Location(address: "Neustadt", at: second))
    #expect(reopened.press(.control("s")) == [.perform(.add(content, SaveOptions()))])
  }

  @Test func recalledPlace_whenAddressChanges_isForgotten() throws {
    var bench = found()
    bench.type("x", into: .title)
    bench.type("", into: .address)
    var reopened = FormBench(try #require(draftAfterTaking(&bench)), of: nil)
    reopened.search("!", [], completing: "Neustadt")
    let content = ItemContent(title: "x", location: Location(address: "Neustadt!"))
    #expect(reopened.press(.control("s")) == [.perform(.add(content, SaveOptions()))])
  }

  @Test func takenCandidate_whenAddressChanges_isForgotten() {
    var bench = found()
    bench.press(.down, .down, .enter)
    bench.search("!", [], completing: "Neustadt")
    bench.type("x", into: .title)
    let actions = bench.press(.control("s"))
    let content = ItemContent(title: "x", location: Location(address: "Neustadt!"))
    #expect(actions == [.perform(.add(content, SaveOptions()))])
  }

  @Test func takenCandidate_ofEditedItem_setsCoordinate() {
    var bench = FormBench(editing: FormBench.item(ItemContent(title: "x", location: Location(address: "A"))))
    bench.type("", into: .address)
    bench.press(.backspace)
    bench.search("Neustadt", FormBench.candidates)
    bench.press(.down, .down, .enter)
    var edit = ItemEdit()
    let candidate = FormBench.candidates[1]
    edit.location = .edit(
      address: .set("Neustadt"), coordinate: .set(candidate.coordinate),
      provenance: Location.Provenance(of: candidate))
    let actions = bench.press(.control("s"))
    #expect(actions == [.perform(.update(Sample.id(1), edit, ifRevision: Revision(7), SaveOptions()))])
  }

  @Test func address_besideGivenCoordinate_isNotSearched() {
    let location = Location(address: "A", coordinate: Coordinate(latitude: 1, longitude: 2))
    var bench = FormBench(editing: FormBench.item(ItemContent(title: "x", location: location)))
    let actions = bench.type("b", into: .address)
    #expect(actions == [.perform(.startTimer(.draft, .seconds(1)))])
    #expect(bench.drawing.texts.contains { $0.hasSuffix("coordinate 1.0,2.0 stays as it is") })
  }

  @Test func address_typedBackToOriginal_isNotSearched() {
    var bench = FormBench(editing: FormBench.item(ItemContent(title: "x", location: Location(address: "A"))))
    bench.type("b", into: .address)
    let actions = bench.press(.backspace)
    #expect(actions == [.perform(.cancelTimer(.addressTyped))])
  }

  @Test func form_whenClosed_cancelsSearch() {
    var bench = FormBench()
    bench.type("Neustadt", into: .address)
    bench.handle(.timer(.addressTyped))
    bench.press(.escape)
    let actions = bench.press(.character("y"))
    #expect(
      actions == [
        .perform(.cancelGeocoding), .perform(.cancelTimer(.draft)), .perform(.storeDraft(nil)), .outcome(.closed),
      ])
  }

  @Test func click_onCandidate_takesIt() throws {
    var bench = found()
    let row = try #require(bench.drawing.texts.firstIndex { $0.contains("Romania") })
    bench.handle(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: row, column: 20))))
    #expect(bench.screen.search.taken == 1)
    bench.handle(.pointer(PointerEvent(kind: .click, position: ScreenPosition(row: 1, column: 2))))
    #expect(bench.screen.focus == .title)
  }
}
