import CToDoProtos
import Testing
import ToDoRPC

struct StatusCodeTests {
  @Test func codes_matchSchema() {
    let schema = google__rpc__code__descriptor
    let values = UnsafeBufferPointer(start: schema.values, count: Int(schema.n_values))
    #expect(
      Dictionary(uniqueKeysWithValues: StatusCode.allCases.map { ($0.name, $0.rawValue) })
        == Dictionary(uniqueKeysWithValues: values.map { (String(cString: $0.name), $0.value) }))
  }
}
