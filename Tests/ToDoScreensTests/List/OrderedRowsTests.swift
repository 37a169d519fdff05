import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport

@testable import ToDoScreens

@Suite struct OrderedRowsTests {
  static let orders: [RowOrder] =
    [.due(), .title, .created, .updated, .priority, .urgency(now: Sample.start, today: .epoch)]
    + [Coordinate(latitude: 0, longitude: 0)].compactMap { $0.map(RowOrder.distance) }

  @Test(arguments: orders)
  func apply_whenChangesAreRandom_keepsOrder(order: RowOrder) {
    var generator = SeededGenerator(seed: 7)
    var (rows, model) = (OrderedRows(order), [ItemID: ListedItem]())
    for round in 1...120 {
      var change = ContentChange()
      let size = [1, 3, 40].randomElement(using: &generator) ?? 1
      for _ in 0..<size {
        let number = UInt64.random(in: 1...150, using: &generator)
        let old = model[Sample.id(number)]
        let isDeleted = old != nil && Int.random(in: 0..<3, using: &generator) == 0
        let item = ListScreenBench.randomItem(number, revision: Int64(round), &generator)
        let new = isDeleted ? nil : ListedItem(item)
        change.add(old: old, new: new)
        model[Sample.id(number)] = new
      }
      rows.apply(change) { !$0.item.isDone }
      let expected = order.sorted(model.values.filter { !$0.item.isDone })
      #expect(rows.items.map(\.item.id) == expected.map(\.item.id))
      #expect(rows.items == expected)
    }
  }

  @Test func sorted_byTitle_ignoresCaseAndBreaksTiesByPosition() {
    let titles = ["rent", "Milk", "milk", "Ärger", "apples"]
    let items = titles.enumerated().map { ListedItem(ListScreenBench.item(UInt64($0 + 1), $1)) }
    #expect(RowOrder.title.sorted(items.reversed()).map(\.item.title) == ["apples", "Milk", "milk", "rent", "Ärger"])
  }

  @Test func sorted_byTime_placesLatestFirst() {
    let items = (1...3).map { ListedItem(ListScreenBench.item($0, revision: Int64(10 - $0))) }
    #expect(RowOrder.created.sorted(items).map(\.item.number.value) == [3, 2, 1])
    #expect(RowOrder.updated.sorted(items).map(\.item.number.value) == [1, 2, 3])
  }

  @Test func sorted_byDistance_placesItemsWithoutCoordinateLast() throws {
    let center = try #require(Coordinate(latitude: 50, longitude: 10))
    let far = Location(coordinate: Coordinate(latitude: 60, longitude: 10))
    let near = Location(coordinate: Coordinate(latitude: 50.1, longitude: 10))
    let items = [
      ListScreenBench.item(1), ListScreenBench.item(2, location: far), ListScreenBench.item(3, location: near),
    ]
    let sorted = RowOrder.distance(from: center).sorted(items.map(ListedItem.init))
    #expect(sorted.map(\.item.number.value) == [3, 2, 1])
  }

  @Test func indices_ofRowsAndNeighbors() {
    let items = (1...5).map { ListedItem(ListScreenBench.item($0)) }
    let rows = OrderedRows(.due(), sorted: [items[0], items[2], items[4]])
    #expect(items.map { rows.index(of: $0) } == [0, nil, 1, nil, 2])
    #expect(items.map { rows.insertionIndex(of: $0) } == [0, 1, 1, 2, 2])
    #expect(items.map { rows.index(after: $0) } == [1, 1, 2, 2, 3])
  }
}
