import Testing
import ToDoRPC

struct MethodNameTests {
  @Test func description_isServiceSlashMethod() {
    #expect("\(MethodName(service: "todo.v1.ToDoService", method: "AddItem"))" == "todo.v1.ToDoService/AddItem")
  }
}
