import Testing
import ToDoScreens
import ToDoText

@Suite struct LineDrawingTests {
  @Test func text_afterMovedSelection_hasSelectedLinesOnly() {
    let first = LineDrawing(["Title", StyledText(">  a", .highlighted), "   b  ", "", "1 of 2"])
    let second = LineDrawing(["Title", "   a", StyledText(">  b", .highlighted), "", "2 of 2"])
    #expect(first.text(after: nil) == ["Title", ">  a", "   b", "1 of 2"])
    #expect(second.text(after: first) == [">  b", "2 of 2"])
  }

  @Test func text_afterOtherChange_hasAllLines() {
    let first = LineDrawing([StyledText(">  a", .highlighted), "1 of 1"])
    let second = LineDrawing([StyledText(">  b", .highlighted), "1 of 1"])
    #expect(second.text(after: first) == [">  b", "1 of 1"])
    #expect(LineDrawing(["x", ""]).text(after: first) == ["x"])
  }
}
