import Testing
import ToDoModel

@testable import ToDoRules

@Suite struct FeedStateTests {
  private let ann = OwnerID("ann")
  private let bob = OwnerID("bob")
  private var state = FeedState()

  init() {
    for owner in [ann, bob] { state.owners[owner] = FeedState.Owner(tail: FeedTail(after: .initial, limit: 10)) }
  }

  @Test mutating func receive_whenOneListChanged_marksOnlyItsOwner() {
    state.receive(.list(ann))
    #expect(state.dirty == [ann])
  }

  @Test mutating func receive_whenAnyListMayHaveChanged_marksEveryOwner() {
    state.receive(.anyList)
    #expect(state.dirty == [ann, bob])
  }

  @Test mutating func receive_whenListIsNotWatched_marksNone() {
    state.receive(.list(OwnerID("carl")))
    #expect(state.dirty.isEmpty)
  }
}
