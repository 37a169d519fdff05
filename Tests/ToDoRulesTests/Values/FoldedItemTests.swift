import Testing
import ToDoModel
import ToDoTestSupport

@testable import ToDoRules

@Suite struct FoldedItemTests {
  private func item(_ title: String, at place: String) -> ToDoItem {
    let time = Timestamp(microseconds: 0)
    return ToDoItem(
      id: .sample(1), number: ItemNumber(1), content: ItemContent(title: title, location: Location(name: place)),
      createdAt: time, updatedAt: time, revision: Revision(1))
  }

  @Test func matches_examinesAllTexts_placeMatchesThoseOfPlace() {
    let milk = item("Milk", at: "Café Rossi")
    var folded = FoldedItem()
    let inPlace = ["cafe ROSSI", "milk", ""].map { folded.placeMatches(TextFilter($0), milk) }
    let inAll = ["rossi milk", "bread", " "].map { folded.matches(TextFilter($0), milk) }
    #expect(inPlace == [true, false, true])
    #expect(inAll == [true, false, true])
  }

  /// The texts of the first call are those of all further ones.
  @Test func matches_afterFirstCall_foldsNothing() {
    var folded = FoldedItem()
    for item in [item("Milk", at: "Shop"), item("Bread", at: "Market")] {
      let isFound = folded.matches(TextFilter("milk"), item)
      let isFoundInPlace = folded.placeMatches(TextFilter("shop"), item)
      #expect(isFound && isFoundInPlace)
    }
  }
}
