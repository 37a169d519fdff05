import Testing

@testable import ToDoScreens

@Suite struct LineCommandTests {
  @Test(
    arguments: [
      ("down", .keys([.down])), (" UP ", .keys([.up])), ("12", .keys([.character("1"), .character("2")])),
      ("", .keys([])), ("save", .keys([.control("s")])), ("check", .check(true)), ("uncheck", .check(false)),
      ("quit", .quit), ("search", .search("")), ("search oat  milk ", .search("oat  milk")),
      ("title Buy milk", .field(.title, "Buy milk")), ("due", .field(.due, "")),
      ("note a b", .field(.note, "a b")), ("add Buy  glue ", .add("Buy  glue")),
      ("add", .keys([.character("A")])), ("clear", .keys([.character("D")])), ("all", .answer(.character("a"))),
      ("move", .keys([.character("M")])), ("skip", .keys([.character("S")])), ("postpone 2d ", .postpone("2d")),
      ("yes", .answer(.character("y"))), ("lists", .keys([.character("L")])),
      ("new Work at home ", .createList("Work at home")), ("Rename Büro", .renameList("Büro")),
      ("accept", .choose(.accept)), ("decline", .choose(.leave)), ("Leave", .choose(.leave)),
      ("members", .choose(.members)), ("unshare", .choose(.unshare)), ("view", .choose(.view)),
      ("invite  bob ", .invite("bob")),
    ] as [(String, LineCommand)])
  func line_isParsed(_ line: String, _ command: LineCommand) throws {
    let parsed = try #require(LineCommand(line))
    #expect(parsed == command)
  }

  @Test(arguments: ["dance", "new", "rename", "postpone", "lists Work", "down now", "+3", "-1", "3 4"])
  func line_withOtherForm_isRejected(_ line: String) {
    #expect(LineCommand(line) == nil)
  }
}
