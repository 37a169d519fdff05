import Testing
import ToDoModel

@testable import todo

/// Lists with one name, of which another user shares one.
@Suite struct EqualListNamesTests {
  @Test func list_namedTwice_isRefusedWithOwners() throws {
    let own = UserList(id: ListID(high: 0x0198_C0DE_0001_7000, low: 1), name: "Team")
    var shared = UserList(id: ListID(high: 0x0198_C0DE_0001_7000, low: 2), name: "Team")
    shared.ownerUser = "ann"
    let set = ListSet(version: 1, lists: [own, shared])
    let failure = try #require(throws: Failure.self) { try set.list("Team") }
    #expect(failure.reason == "AMBIGUOUS_LIST")
    #expect(failure.details == ["\(own.id)  Team", "\(shared.id)  Team of ann"])
  }
}
