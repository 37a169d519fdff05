#if PostgreSQL
import Testing
import ToDoModel

@testable import ToDoPostgreSQLStore

@Suite struct ChangeNotificationTests {
  @Test func payload_namesTheServerAndTheLists() {
    let notification = ChangeNotification(serverID: "s1", lists: .some([OwnerID("bob"), OwnerID("ann é")]))
    #expect(notification.payload == "s1\nann é\nbob")
    #expect(ChangeNotification(payload: notification.payload) == notification)
  }

  @Test func payload_whenAllListsChanged_isAnAsterisk() {
    let notification = ChangeNotification(serverID: "", lists: .all)
    #expect(notification.payload == "\n*")
    #expect(ChangeNotification(payload: "\n*") == notification)
  }

  @Test func payload_whenTooLong_standsForAllLists() {
    let lists = Set((0..<1000).map { OwnerID("list \($0)") })
    let payload = ChangeNotification(serverID: "s1", lists: .some(lists)).payload
    #expect(payload == "s1\n*")
    let name = String(repeating: "é", count: 3000)
    #expect(ChangeNotification(serverID: "s1", lists: .some([OwnerID(name)])).payload == "s1\n\(name)")
  }

  @Test func payload_whenANameHasALineFeed_standsForAllLists() {
    for name in ["a\nb", "a\r\nb"] {
      #expect(ChangeNotification(serverID: "s1", lists: .some([OwnerID(name)])).payload == "s1\n*")
    }
  }

  @Test(arguments: ["", "s1", "\n", "\r\n*", "s1\n\n"])
  func init_whenPayloadIsUnusual_doesNotTrap(_ payload: String) {
    _ = ChangeNotification(payload: payload)
  }

  @Test func formUnion_whenOneIsAll_isAll() {
    var lists = ChangedLists.none
    #expect(lists.isEmpty)
    lists.formUnion(.some([OwnerID("a")]))
    lists.formUnion(.some([OwnerID("b")]))
    #expect(lists == .some([OwnerID("a"), OwnerID("b")]))
    lists.formUnion(.all)
    lists.formUnion(.some([OwnerID("c")]))
    #expect(lists == .all)
  }
}
#endif
