#if GRPC
  import GRPCCore
  import GRPCNIOTransportHTTP2Posix
  import Logging
  import TTRPC
  import TTRPCTransport
  import Testing
  import ToDoModel
  import ToDoServer
  import ToDoStores

  @testable import ToDoGRPC

  /// What is offered over gRPC is what is offered over ttrpc.
  @Suite struct MethodServiceTests {
    private let table = MethodTable(
      serving: LocalToDoService(store: MemoryToDoItemStore()), health: HealthMonitor(services: []))

    private var service: MethodService {
      let runner = CallRunner(
        connections: ConnectionSet(), limits: ServerConfiguration(), drain: Drain(), logger: Logger(label: "test"))
      return MethodService(methods: table, runner: runner, maximumLength: 100)
    }

    private var registered: [MethodDescriptor] {
      var router = RPCRouter<HTTP2ServerTransport.Posix>()
      service.registerMethods(with: &router)
      return router.methods
    }

    @Test func methods_thatActOnATTRPCConnection_areNotOffered() {
      let names = table.methods.map(\.name.description)
      let others = ["todo.v1.ConnectionService/CancelCall", "todo.v1.ConnectionService/Authenticate"]
      #expect(Set(registered.map(\.fullyQualifiedMethod)) == Set(names).subtracting(others))
      #expect(registered.count == names.count - others.count)
    }

    @Test func whatIsOffered_isWhatTheSchemaDeclares() {
      let declared = SchemaIndex.schema.methods.filter {
        !$0.hasPrefix("grpc.reflection.") && !$0.hasPrefix("todo.v1.ConnectionService.")
      }
      let offered = registered.map { "\($0.service.fullyQualifiedService).\($0.method)" }
      #expect(Set(offered) == declared)
    }

    @Test func aMethodThatIsAddedToTheTable_isOffered() {
      let method = ServerMethod.unary(MethodName(service: "test.Texts", method: "Say")) { _, _ in
        { _ in throw CancellationError() }
      }
      let others = MethodService(methods: MethodTable([method]), runner: service.runner, maximumLength: 100)
      var router = RPCRouter<HTTP2ServerTransport.Posix>()
      others.registerMethods(with: &router)
      #expect(router.methods.map(\.fullyQualifiedMethod) == ["test.Texts/Say"])
      #expect(others.services == ["test.Texts"])
    }

    @Test func services_areThoseThatHaveMethods() {
      #expect(service.services == ["todo.v1.ToDoService", "grpc.health.v1.Health"])
    }
  }
#endif
