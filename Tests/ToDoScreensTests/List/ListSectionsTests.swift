import Testing
import ToDoModel
import ToDoTestScreens
import ToDoTestSupport
import ToDoText

@testable import ToDoScreens

@Suite struct ListSectionsTests {
  private let milk = ItemMatcher(text: "milk", by: Sample.search)

  /// Returns changes of random items, and applies them to a model.
  private func randomChange(
    _ model: inout [ItemID: ListedItem], revision: Int64, count: Int, _ generator: inout SeededGenerator
  ) -> ContentChange {
    var change = ContentChange()
    for _ in 0..<count {
      let number = UInt64.random(in: 1...200, using: &generator)
      let old = model[Sample.id(number)]
      let isDeleted = old != nil && Int.random(in: 0..<4, using: &generator) == 0
      let new = isDeleted ? nil : ListedItem(ListScreenBench.randomItem(number, revision: revision, &generator))
      change.add(old: old, new: new)
      model[Sample.id(number)] = new
    }
    return change
  }

  private func expectShown(
    _ sections: ListSections, _ model: [ItemID: ListedItem], _ matcher: ItemMatcher, _ order: RowOrder = .due()
  ) {
    let matching = model.values.filter { matcher.matches($0.item) }
    for section in sections.sections {
      let expected = order.sorted(matching.filter { $0.item.isDone == section.isDone })
      #expect(section.shown.items == expected)
    }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>, [SectionRows.SearchStart.all, .refreshing])
  func filter_inSlices_equalsFilterAtOnce(seed: UInt64, start: SectionRows.SearchStart) {
    var generator = SeededGenerator(seed: seed)
    var (model, sections) = ([ItemID: ListedItem](), ListSections(showing: .all))
    sections.apply(randomChange(&model, revision: 1, count: 150, &generator))
    sections.filter(by: ItemMatcher(text: "r", by: Sample.search), .all)
    sections.work()
    sections.filter(by: milk, start)
    var revision: Int64 = 1
    while sections.hasWork {
      sections.work(SliceBudget(items: 7))
      revision += 1
      sections.apply(randomChange(&model, revision: revision, count: Int(seed % 12), &generator))
    }
    expectShown(sections, model, milk)
    sections.apply(randomChange(&model, revision: revision + 1, count: 30, &generator))
    expectShown(sections, model, milk)
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func filter_whenTextIsExtended_narrowsPreviousSearch(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var (model, sections) = ([ItemID: ListedItem](), ListSections(showing: .all))
    sections.apply(randomChange(&model, revision: 1, count: 150, &generator))
    var revision: Int64 = 1
    for text in ["m", "mi", "mil", "milk"] {
      sections.filter(by: ItemMatcher(text: text, by: Sample.search), text == "m" ? .all : .narrowing)
      for _ in 0..<(seed % 4) {
        sections.work(SliceBudget(items: 11))
        revision += 1
        sections.apply(randomChange(&model, revision: revision, count: 3, &generator))
      }
    }
    while sections.hasWork { sections.work(SliceBudget(items: 11)) }
    expectShown(sections, model, milk)
  }

  @Test func filter_whenSearching_showsMatchesFromTop() {
    var sections = ListSections(showing: .todo)
    var change = ContentChange()
    for number in 1...40 as ClosedRange<UInt64> {
      change.add(old: nil, new: ListedItem(ListScreenBench.item(number, number.isMultiple(of: 2) ? "Milk" : "Rent")))
    }
    sections.apply(change)
    sections.filter(by: milk, .all)
    sections.work(SliceBudget(items: 10))
    #expect(sections.isSearching)
    #expect(sections.sections[0].shown.items.map(\.item.number.value) == [2, 4, 6, 8, 10])
  }

  @Test func filter_whenRefreshing_showsEarlierRowsUntilComplete() {
    var sections = ListSections(showing: .todo)
    var change = ContentChange()
    for number in 1...20 as ClosedRange<UInt64> { change.add(old: nil, new: ListedItem(ListScreenBench.item(number))) }
    sections.apply(change)
    sections.filter(by: ItemMatcher(text: "item", by: Sample.search), .all)
    sections.work()
    sections.filter(by: ItemMatcher(text: "item 2", by: Sample.search), .refreshing)
    sections.work(SliceBudget(items: 10))
    #expect(sections.count == 20)
    sections.work(SliceBudget(items: 10))
    #expect(sections.sections[0].shown.items.map(\.item.number.value) == [2, 12, 20])
  }

  @Test(arguments: 1...6 as ClosedRange<UInt64>)
  func pendingSort_whenItemsChange_losesNoChange(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var model: [ItemID: ListedItem] = [:]
    _ = randomChange(&model, revision: 1, count: 200, &generator)
    let items = RowOrder.due().sorted(Array(model.values))
    var sort = PendingSort(items, by: .title)
    sort.add(randomChange(&model, revision: 2, count: 20, &generator))
    // One item is missing, and one is unknown.
    sort.take(RowOrder.title.sorted(items).dropLast().map(\.item.id) + [Sample.id(999)])
    var outcome: PendingSort.Outcome?
    var revision: Int64 = 3
    while outcome == nil {
      var budget = SliceBudget(items: 13)
      outcome = sort.work(&budget)
      if outcome == nil { sort.add(randomChange(&model, revision: revision, count: 2, &generator)) }
      revision += 1
    }
    var toDo = OrderedRows(.title, sorted: outcome?.toDo ?? [])
    toDo.apply(outcome?.changes ?? ContentChange()) { !$0.item.isDone }
    #expect(toDo.items == RowOrder.title.sorted(model.values.filter { !$0.item.isDone }))
  }
}
