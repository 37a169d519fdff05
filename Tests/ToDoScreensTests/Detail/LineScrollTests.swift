import Testing
import ToDoModel
import ToDoText

@testable import ToDoScreens

@Suite struct LineScrollTests {
  private static let lines = (1...20).map { StyledText("\($0)") }

  private func wheel(_ kind: PointerEvent.Kind) -> ScreenEvent {
    .pointer(PointerEvent(kind: kind, position: ScreenPosition(row: 0, column: 0)))
  }

  @Test func keys_scrollWithinText() {
    var scroll = LineScroll()
    func offset(after event: ScreenEvent) -> Int {
      let isHandled = scroll.handle(event, lineCount: 20, height: 6)
      #expect(isHandled)
      return scroll.offset
    }
    #expect(offset(after: .key(.up)) == 0)
    #expect(offset(after: .key(.down)) == 1)
    #expect(offset(after: .key(.pageDown)) == 6)
    #expect(offset(after: wheel(.wheelDown)) == 9)
    #expect(offset(after: .key(.pageDown)) == 14)
    #expect(offset(after: .key(.pageDown)) == 14)
    #expect(offset(after: wheel(.wheelUp)) == 11)
    #expect(offset(after: .key(.pageUp)) == 6)
    #expect(offset(after: .key(.end)) == 14)
    #expect(offset(after: .key(.home)) == 0)
  }

  @Test func handle_whenEventDoesNotScroll_returnsFalse() {
    var scroll = LineScroll()
    let events: [ScreenEvent] = [.key(.enter), .key(.character("j")), wheel(.click), .resized, .minutePassed]
    for event in events {
      let isHandled = scroll.handle(event, lineCount: 20, height: 6)
      #expect(!isHandled)
    }
    #expect(scroll == LineScroll())
  }

  @Test func visibleLines_whenTextShrinks_areItsLastLines() {
    var scroll = LineScroll()
    _ = scroll.handle(.key(.end), lineCount: 20, height: 6)
    #expect(scroll.visibleLines(of: Self.lines, height: 6) == ["15", "16", "17", "18", "19", "20"])
    #expect(scroll.visibleLines(of: Array(Self.lines.prefix(8)), height: 6) == ["3", "4", "5", "6", "7", "8"])
    #expect(scroll.visibleLines(of: ["1"], height: 6) == ["1"])
    #expect(scroll.visibleLines(of: Self.lines, height: 0).isEmpty)
  }

  @Test func status_whenAllLinesAreVisible_isEmpty() {
    var scroll = LineScroll()
    #expect(scroll.status(lineCount: 6, height: 6).isEmpty)
    #expect(scroll.status(lineCount: 20, height: 6) == "lines 1-6 of 20")
    _ = scroll.handle(.key(.end), lineCount: 20, height: 6)
    #expect(scroll.status(lineCount: 20, height: 6) == "lines 15-20 of 20")
  }
}
