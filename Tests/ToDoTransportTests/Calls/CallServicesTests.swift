#if GRPC || HTTP
import Logging
import Testing
import ToDoRPC
import ToDoSupport
import ToDoTransport

@Suite struct CallServicesTests {
  @Test func method_isFoundByServiceAndName() {
    let method = ServerMethod.unary(MethodName(service: "test.Texts", method: "Say")) { _, _, _ in
      .pending { throw CancellationError() }
    }
    let services = CallServices(
      [method], limits: ServerLimits(), shutdownFlag: ShutdownFlag(), logger: Logger(label: "test"))
    #expect(services["test.Texts", "Say"]?.name == method.name)
    #expect(services["test.Texts", "Sing"] == nil && services["test", "Say"] == nil)
  }
}
#endif
