#if PostgreSQL
import Testing
import ToDoModel
import ToDoRules
import ToDoStores

@testable import ToDoPostgreSQLStore

@Suite struct StoreIdentityTests {
  @Test func storedBytes_areDecodedToTheSameIdentity() {
    for _ in 0..<100 {
      let identity = StoreIdentity()
      #expect(
        StoreIdentity(incarnation: identity.incarnationBytes, fingerprintKey: identity.fingerprintKeyBytes)
          == identity)
    }
  }

  @Test func storedBytes_areBigEndian() throws {
    let identity = StoreIdentity(
      incarnation: try #require(ListIncarnation(0x0102_0304_0506_0708)),
      fingerprintKey: FingerprintKey(low: 1, high: 2))
    #expect(identity.incarnationBytes == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(identity.fingerprintKeyBytes == [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1])
  }

  @Test(arguments: [(0, 16), (7, 16), (9, 16), (8, 15), (8, 17), (8, 0)])
  func init_whenLengthIsWrong_isNil(_ incarnation: Int, _ key: Int) {
    #expect(
      StoreIdentity(
        incarnation: Array(repeating: 1, count: incarnation), fingerprintKey: Array(repeating: 1, count: key)) == nil)
  }
}
#endif
