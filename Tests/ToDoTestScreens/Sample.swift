package import ToDoModel
import ToDoRules
package import ToDoScreens

/// The values that tests of texts and screens share.
package enum Sample {
  /// Wednesday, 2026-04-29, 10:15:42 in Berlin.
  package static let start = Timestamp(microseconds: 1_777_450_542_000_000)

  /// The ID of the nth item, from 1. The IDs differ from the twelfth digit on.
  package static func id(_ number: UInt64) -> ItemID {
    ItemID(high: 0x0198_c0de_0000_7000 | number << 16, low: 0x8000_0000_0000_0000 | number)
  }

  /// The ID of the nth list besides the default one, from 1.
  package static func list(_ number: UInt64) -> ListID {
    ListID(high: 0x0198_c0de_0001_7000, low: 0x8000_0000_0000_0000 | number)
  }

  /// The rules of `LocalToDoService`.
  package static var search: ItemSearch {
    { text, filter in
      let selection = ItemSelection(
        text: TextFilter(text), due: filter.due, place: TextFilter(filter.place), wait: filter.wait,
        combination: FilterCombination(filter), limit: 1)
      return { selection.text.matches($0.content) && selection.passesFilter($0) }
    }
  }
}
