import Testing
import ToDoModel

/// The IDs and names of lists.
@Suite struct UserListTests {
  @Test func listID_ofText_isParsed() {
    #expect(ListID("default") == .default)
    #expect(ListID("00000000-0000-0000-0000-000000000000") == .default)
    #expect(ListID("0198C0DE-7000-7abc-8def-0123456789ab")?.description == "0198c0de-7000-7abc-8def-0123456789ab")
    #expect(ListID("Default") == nil)
    #expect(ListID("") == nil)
    #expect(ListID.default.description == "default")
  }

  @Test func ownerID_ofList_namesList() {
    let id = ListID()
    #expect(OwnerID(id).list == id)
    #expect(OwnerID("anna").list == nil)
    #expect(OwnerID("list:").list == nil)
  }

  @Test(arguments: ["a", "Work", "Büro 7", String(repeating: "x", count: 64), String(repeating: "é", count: 64), "工作"])
  func name_whenValid_isAccepted(_ name: String) {
    #expect(UserList.violations(ofName: name, at: "name").isEmpty)
  }

  @Test(arguments: [
    "", " ", "\u{3000}", " Work", "Work ", "a/b", "a\nb", "a\u{0}b", String(repeating: "x", count: 65),
    String(repeating: "工", count: 67), "👩‍👩‍👧‍👦" + String(repeating: "👩‍👩‍👧‍👦", count: 8),
  ])
  func name_whenInvalid_isRejected(_ name: String) {
    #expect(UserList.violations(ofName: name, at: "name").map(\.field) == ["name"])
  }
}
