import Testing
import ToDoClient
import ToDoModel

@Suite struct ToDoListStateTests {
  private func state(_ items: ToDoItem..., at revision: Int64, showing shown: ItemState = .all) -> ToDoListState {
    var state = ToDoListState(showing: shown)
    state.apply(.snapshotPage(items))
    state.apply(.snapshotEnd(Revision(revision)))
    return state
  }

  private func numbers(_ items: [ToDoItem]?) -> [UInt64]? { items?.map(\.id.low) }

  @Test func list_whenSnapshotIsIncomplete_isNil() {
    var state = ToDoListState()
    #expect(state.apply(.snapshotPage([sample(2, at: 1)])) == false)
    #expect(state.apply(.snapshotPage([sample(1, at: 2), sample(3, at: 3, completedAt: 3)])) == false)
    #expect(state.list == nil)
    #expect(state.apply(.snapshotEnd(Revision(3))) == true)
    #expect(
      state.list
        == ToDoList(
          toDo: [sample(1, at: 2), sample(2, at: 1)], done: [sample(3, at: 3, completedAt: 3)], revision: Revision(3)))
  }

  @Test func list_whenSnapshotIsEmpty_isEmpty() {
    #expect(state(at: 0).list == ToDoList())
  }

  @Test func restarted_whenNewSnapshotIsIncomplete_keepsTheOldList() {
    var state = state(sample(1, at: 1), sample(2, at: 2), at: 2)
    let old = state.list
    state.apply(.snapshotPage([sample(7, at: 7)]))
    #expect(state.apply(.restarted) == false)
    state.apply(.snapshotPage([sample(2, at: 9)]))
    #expect(state.list == old)
    state.apply(.snapshotEnd(Revision(9)))
    #expect(state.list == ToDoList(toDo: [sample(2, at: 9)], revision: Revision(9)))
    state.apply(.deleted(sample(2, at: 9), at: 10))
    #expect(state.list?.isEmpty == true)
  }

  @Test func put_whenItemIsAdded_insertsItInOrder() {
    var state = state(sample(1, at: 1), sample(3, at: 3), at: 3)
    state.apply(.put(.added, sample(2, at: 4)))
    #expect(numbers(state.list?.toDo) == [1, 2, 3])
    state.apply(.put(.added, sample(4, at: 5), sample(0, at: 5)))
    #expect(numbers(state.list?.toDo) == [0, 1, 2, 3, 4])
  }

  @Test func put_whenItemIsChecked_movesItToTheTopOfDone() {
    var state = state(sample(1, at: 1), sample(2, at: 2), sample(3, at: 3, completedAt: 3), at: 3)
    state.apply(.put(.checked, sample(1, at: 4, completedAt: 4)))
    #expect(numbers(state.list?.toDo) == [2])
    #expect(numbers(state.list?.done) == [1, 3])
    state.apply(.put(.unchecked, sample(3, at: 5)))
    #expect(numbers(state.list?.toDo) == [2, 3])
    #expect(numbers(state.list?.done) == [1])
  }

  @Test func put_whenItemIsEdited_replacesIt() {
    var state = state(sample(1, at: 1), sample(2, at: 2), at: 2)
    state.apply(.put(.edited, sample(1, at: 3, title: "New")))
    #expect(state.list?.toDo == [sample(1, at: 3, title: "New"), sample(2, at: 2)])
  }

  @Test func deleted_whenItemsAreListed_removesThem() {
    var state = state(sample(1, at: 1), sample(2, at: 2), sample(3, at: 3, completedAt: 3), at: 3)
    state.apply(.deleted(sample(1, at: 1), sample(3, at: 3, completedAt: 3), at: 4))
    #expect(state.list == ToDoList(toDo: [sample(2, at: 2)], revision: Revision(4)))
  }

  @Test func progress_whenListIsLoaded_changesOnlyTheRevision() {
    var state = state(sample(1, at: 1), at: 1)
    #expect(state.apply(.progress(Revision(5))) == true)
    #expect(state.apply(.progress(Revision(5))) == false)
    #expect(state.list == ToDoList(toDo: [sample(1, at: 1)], revision: Revision(5)))
  }

  @Test(arguments: [(ItemState.toDo, [2], []), (.done, [], [1])] as [(ItemState, [UInt64], [UInt64])])
  func put_whenItemNoLongerMatchesTheFilter_removesIt(shown: ItemState, toDo: [UInt64], done: [UInt64]) {
    var state = state(sample(1, at: 1), sample(2, at: 2), at: 2, showing: shown)
    state.apply(.put(.checked, sample(1, at: 3, completedAt: 3)))
    #expect(numbers(state.list?.toDo) == toDo)
    #expect(numbers(state.list?.done) == done)
  }

  @Test func itemsChangedAfter_whenItemsAreNewer_containsThem() {
    var state = state(sample(1, at: 1), sample(2, at: 2), sample(3, at: 3), at: 3)
    #expect(state.list?.items(changedAfter: Revision(3)) == [])
    state.apply(.put(.checked, sample(1, at: 4, completedAt: 4)))
    state.apply(.deleted(sample(2, at: 2), at: 5))
    state.apply(.put(.edited, sample(3, at: 6, title: "New")))
    #expect(state.list?.items(changedAfter: Revision(3)) == [sample(1, at: 0).id, sample(3, at: 0).id])
    #expect(state.list?.items(changedAfter: Revision(4)) == [sample(3, at: 0).id])
  }

  @Test func changes_whenRandom_resultInTheSortedList() {
    var generator = SystemRandomNumberGenerator()
    var (state, items) = (state(at: 0), [ItemID: ToDoItem]())
    for revision in Int64(1)...300 {
      var changes: [ItemChange] = []
      for number in Set((0..<Int.random(in: 1...8, using: &generator)).map { _ in Int.random(in: 0..<40) }) {
        let item = sample(number, at: revision, completedAt: Bool.random() ? Int64.random(in: 0..<5) : nil)
        if let old = items[item.id], Int.random(in: 0..<3) == 0 {
          items[item.id] = nil
          changes.append(
            .deleted(
              ItemDeletion(id: old.id, wasDone: old.isDone, revision: Revision(revision), deletedAt: old.updatedAt)))
        } else {
          items[item.id] = item
          changes.append(.put(item, .edited))
        }
      }
      state.apply(.changes(ChangeSet(revision: Revision(revision), changes: changes)))
      let sorted = items.values.sorted { ItemPosition(of: $0, in: .list) < ItemPosition(of: $1, in: .list) }
      #expect(
        state.list
          == ToDoList(
            toDo: sorted.filter { !$0.isDone }, done: sorted.filter(\.isDone), revision: Revision(revision)))
    }
  }

  @Test func snapshot_whenItContainsAnItemTwice_listsItOnce() {
    var state = state(sample(1, at: 1), sample(1, at: 2, title: "Later"), sample(1, at: 3, completedAt: 3), at: 3)
    #expect(state.list == ToDoList(done: [sample(1, at: 3, completedAt: 3)], revision: Revision(3)))
    state.apply(.deleted(sample(1, at: 3), at: 4))
    #expect(state.list?.isEmpty == true)
    #expect(state.size == 0)
  }

  @Test func changes_whenTheyContainAnItemTwice_listItOnce() {
    var state = state(sample(1, at: 1), at: 1)
    state.apply(.put(.edited, sample(2, at: 2), sample(2, at: 2, title: "Later"), sample(1, at: 2)))
    #expect(numbers(state.list?.toDo) == [1, 2])
    state.apply(.deleted(sample(2, at: 2), sample(2, at: 2), at: 3))
    #expect(numbers(state.list?.toDo) == [1])
  }

  @Test func size_whenSnapshotIsIncomplete_includesIt() {
    var state = state(sample(1, at: 1, title: "abc"), at: 1)
    #expect(state.size == 256 + 3)
    state.apply(.put(.edited, sample(1, at: 2, title: "abcde"), sample(2, at: 2, title: "")))
    #expect(state.size == 2 * 256 + 5)
    state.apply(.restarted)
    state.apply(.snapshotPage([sample(3, at: 3, title: "a")]))
    #expect(state.size == 3 * 256 + 6)
    state.apply(.snapshotEnd(Revision(3)))
    #expect(state.size == 256 + 1)
  }
}
