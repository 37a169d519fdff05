import Testing
import ToDoModel
import ToDoQuickAdd

/// Tags and priorities in sentences.
@Suite struct MarkTests {
  private func read(_ sentence: String, _ locale: String = "en_US") throws -> QuickAddReading {
    QuickAddReader(locale: locale).read(sentence, today: try #require(Phrase.today), now: Phrase.now)
  }

  @Test(arguments: [
    ("Buy milk #errands", "Buy milk", ["errands"]), ("#work/urgent Call Tom", "Call Tom", ["work/urgent"]),
    ("Call +family mum #Family", "Call mum", ["family"]), ("Pay rent, #bills, #home", "Pay rent", ["bills", "home"]),
    ("Bücher zurück #bücherei_süd", "Bücher zurück", ["bücherei_süd"]), ("Fix #12 today", "Fix #12", []),
    ("Call +49 89 2180", "Call +49 89 2180", []), ("Learn C# and C++", "Learn C# and C++", []),
    ("Buy #a//b", "Buy #a//b", []), ("#errands", "#errands", []), ("#errands tomorrow", "#errands", []),
    ("Lunch with #bob", "Lunch with #bob", []), ("Reply to #general", "Reply to #general", []),
    ("Post in #general about it", "Post in #general about it", []),
    ("Paint door #ff8800", "Paint door #ff8800", []), ("Return #A1234 +q4", "Return #A1234", ["q4"]),
  ])
  func read_takesTags(_ sentence: String, _ title: String, _ tags: [String]) throws {
    let reading = try read(sentence)
    #expect((reading.title, reading.tags) == (title, tags))
  }

  @Test(arguments: [
    ("Pay rent !", "Pay rent", Priority.low), ("Watch Mamma Mia ! with Tom", "Watch Mamma Mia ! with Tom", nil),
    ("!! Pay rent tomorrow", "Pay rent", .medium),
    ("Pay !!! rent", "Pay rent", .high), ("Pay rent ! !!", "Pay rent", .medium), ("Pay rent !HIGH", "Pay rent", .high),
    ("Pay rent!", "Pay rent!", nil), ("Pay rent !!!!", "Pay rent !!!!", nil), ("Pay rent !1", "Pay rent !1", nil),
    ("!!", "!!", nil),
  ])
  func read_takesPriority(_ sentence: String, _ title: String, _ priority: Priority?) throws {
    let reading = try read(sentence)
    #expect((reading.title, reading.priority) == (title, priority))
  }

  @Test func read_ofFrenchSentence_takesNoSingleExclamationMark() throws {
    #expect(try read("Appeler maman !", "fr_FR").title == "Appeler maman !")
    #expect(try read("Appeler maman !!", "fr_FR").priority == .medium)
  }

  @Test func read_withDateAndPlace_takesMarksBetweenThem() throws {
    let reading = try read("Dinner #fun tomorrow !! @Rossi #food 19:00")
    #expect((reading.title, reading.place) == ("Dinner", "Rossi"))
    #expect(Phrase.meaning(of: reading)[1] == "2026-11-25T19:00")
    #expect((reading.tags, reading.priority) == (["fun", "food"], .medium))
    #expect(reading.words.map(\.role) == [.title, .tag, .date, .priority, .place, .tag, .date])
  }

  @Test func read_ofAmbiguousDate_offersTitlesWithoutMarks() throws {
    let reading = try read("Class mon wed 18:00 #gym")
    #expect(reading.tags == ["gym"])
    #expect(!reading.alternatives.isEmpty && reading.alternatives.allSatisfy { $0.title == "Class" })
  }

  @Test func read_takesAtMostTheTagsOfAnItem() throws {
    let reading = try read("Milk " + (1...40).map { "+t\($0)" }.joined(separator: " "))
    #expect(reading.tags.count == ItemContent.Limits.tags)
    #expect(reading.title == "Milk " + (33...40).map { "+t\($0)" }.joined(separator: " "))
  }
}
