import Testing
import ToDoModel

@testable import todo

/// What several words after `todo add` mean on Wednesday, 2026-04-29, in Berlin.
@Suite struct QuickAddTests {
  private func read(_ arguments: [String], readsDue: Bool = true, readsPlace: Bool = true) -> QuickAdd {
    let zone = CentralEuropeanZone()
    let texts = UserText.marking(arguments).filter { $0 != "--" }.map { UserText(argument: $0) }
    return QuickAdd(
      texts, DueDateParser(now: TestBench.start, zone: zone), readsDue: readsDue, readsPlace: readsPlace)
  }

  private func text(_ read: QuickAdd) -> String {
    let due = read.due.map { " | " + $0.absoluteText(in: CentralEuropeanZone()) } ?? ""
    return read.title + due + (read.place.map { " @ " + $0 } ?? "")
  }

  @Test(arguments: [
    ("Buy oat milk", "Buy oat milk"),
    ("Buy oat milk tomorrow 17:00", "Buy oat milk | Thu 2026-04-30 17:00 CEST"),
    ("Buy milk tomorrow 17:00 @Corner shop +errand", "Buy milk +errand | Thu 2026-04-30 17:00 CEST @ Corner shop"),
    ("Buy milk @Corner shop tomorrow 17:00", "Buy milk | Thu 2026-04-30 17:00 CEST @ Corner shop"),
    ("Buy milk @Corner shop", "Buy milk @ Corner shop"),
    ("Pay rent due friday", "Pay rent | Fri 2026-05-01"),
    ("Finish report by 28 nov", "Finish report | Sat 2026-11-28"),
    ("Dinner on sat", "Dinner | Sat 2026-05-02"),
    ("Log on tomorrow", "Log on | Thu 2026-04-30"),
    ("Meet Ann at noon friday", "Meet Ann | Fri 2026-05-01 12:00 CEST"),
    ("Call mum mon 9", "Call mum | Mon 2026-05-04 09:00 CEST"),
    ("Read 1984", "Read 1984"),
    ("tomorrow", "tomorrow"),
    ("tomorrow tomorrow", "tomorrow | Thu 2026-04-30"),
    ("Plan tomorrow with Ann", "Plan tomorrow with Ann"),
    ("@Shop milk", "@Shop milk"),
    ("Mail ann@example.org", "Mail ann@example.org"),
    ("Mail @ work", "Mail @ work"),
    ("Fix -- tomorrow @Shop", "Fix tomorrow @Shop"),
    ("Buy milk fri -- 3 litres", "Buy milk 3 litres | Fri 2026-05-01"),
  ])
  func words_areRead(_ line: String, _ expected: String) {
    #expect(text(read(line.split(separator: " ").map(String.init))) == expected)
  }

  @Test(arguments: ["Watch Friday", "Milk tomorrow @Shop", ""]) func oneArgument_isTitle(_ title: String) {
    #expect(text(read([title])) == title)
  }

  @Test func fields_whenNotWanted_stayInTitle() {
    let words = ["Milk", "fri", "@Shop"]
    #expect(text(read(words, readsDue: false)) == "Milk fri @ Shop")
    #expect(text(read(words, readsPlace: false)) == "Milk fri @Shop")
    #expect(text(read(["Milk", "@Shop", "fri"], readsPlace: false)) == "Milk @Shop | Fri 2026-05-01")
  }
}
