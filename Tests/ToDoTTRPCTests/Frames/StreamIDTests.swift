import Testing
import ToDoRPC
import ToDoTTRPC

struct StreamIDTests {
  @Test(arguments: [(0, false), (1, true), (2, false), (4_294_967_294, false), (4_294_967_295, true)])
  func isClientInitiated_whenOdd_isTrue(number: UInt32, isOdd: Bool) {
    #expect(StreamID(number).isClientInitiated == isOdd)
  }

  @Test func order_isNumeric() {
    #expect(StreamID(0x7fff_ffff) < StreamID(0x8000_0001))
  }

  @Test func description_isNumber() {
    #expect("\(StreamID(4_294_967_295))" == "4294967295")
  }
}
