#if PostgreSQL
import Testing
import ToDoModel

@testable import ToDoPostgreSQLStore

struct ItemUUIDTests {
  @Test func uuid_ofID_isTheSameID() {
    let id = ItemID(high: 0x0123_4567_89AB_CDEF, low: 0xFEDC_BA98_7654_3210)
    #expect(id.uuid == (id.high, id.low))
    #expect(ItemID(uuid: id.uuid) == id)
  }
}
#endif
