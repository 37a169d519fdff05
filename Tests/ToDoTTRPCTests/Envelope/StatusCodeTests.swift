import CToDoProtos
import Testing
import ToDoRPC

struct StatusCodeTests {
  @Test func codes_matchSchema() {
    let schema = EnumSchema(google__rpc__code__descriptor)
    #expect(Dictionary(uniqueKeysWithValues: StatusCode.allCases.map { ($0.name, $0.rawValue) }) == schema.numbers)
  }
}
