import Testing
import ToDoModel
import ToDoRules
import ToDoTestSupport

@testable import ToDoStores

/// The checksum with which a copied list is compared.
struct CopiedSummaryTests {
  private func summary(of item: ToDoItem) throws -> CopiedSummary {
    var builder = CopiedSummaryBuilder(
      of: try CopiedList(name: "local", revision: 1, floor: 0, itemCount: 1, byteCount: 0, lastNumber: 1))
    builder.add(.item(CopiedItem(item, .present)))
    return builder.summary
  }

  private func item(latitude: Double = 1, note: String? = nil) -> ToDoItem {
    var item = ToDoItem.sample(1)
    item.content.itemDescription = note
    item.content.location = Location(coordinate: Coordinate(latitude: latitude, longitude: 2))
    return item
  }

  @Test func checksum_whenZeroHasAnotherSign_isTheSame() throws {
    #expect(try summary(of: item(latitude: -0.0)) == summary(of: item(latitude: 0.0)))
  }

  @Test func checksum_whenAFieldDiffers_differs() throws {
    let items = [item(), item(latitude: 0), item(note: ""), item(note: "a")]
    let checksums = try items.map { try summary(of: $0).checksum }
    #expect(Set(checksums).count == items.count)
  }

  @Test func numbers_ofSummary_restoreIt() throws {
    let summary = try summary(of: item())
    #expect(CopiedSummary(numbers: summary.numbers) == summary)
  }
}
