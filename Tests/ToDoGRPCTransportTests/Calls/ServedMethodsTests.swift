#if GRPC
import Logging
import ToDoRPC
import Testing
import ToDoRules
import ToDoServer
import ToDoStores
import ToDoSupport
import ToDoTransport

@testable import ToDoGRPCTransport

/// The methods of gRPC are the methods of ttrpc.
@Suite struct ServedMethodsTests {
  private let table = MethodTable(
    serving: LocalToDoService(store: MemoryToDoItemStore()), health: HealthMonitor(services: []))

  private func services(_ methods: [ServerMethod]) -> CallServices {
    CallServices(methods, limits: ServerLimits(), shutdownFlag: ShutdownFlag(), logger: Logger(label: "test"))
  }

  @Test func names_includeEveryMethod_exceptThoseThatActOnConnection() {
    let names = table.methods.map { "\($0.name.service).\($0.name.method)" }
    let others = ["todo.v1.ConnectionService.CancelCall", "todo.v1.ConnectionService.Authenticate"]
    #expect(services(table.methods).names == Set(names).subtracting(others))
  }

  @Test func names_matchSchema() {
    let declared = SchemaIndex.schema.methods.filter {
      // This server has no stores of lists and users, takes no positions, and tells no reminders.
      !$0.hasPrefix("grpc.reflection.") && !$0.hasPrefix("todo.v1.ConnectionService.")
        && !$0.hasPrefix("todo.v1.ListService.") && !$0.hasPrefix("todo.v1.PositionService.")
        && !$0.hasPrefix("todo.v1.ReminderService.") && !$0.hasPrefix("todo.v1.FeedService.")
        && !$0.hasPrefix("todo.v1.SignInService.")
    }
    #expect(services(table.methods).names == declared)
  }
}
#endif
