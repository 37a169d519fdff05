#if GRPC
  import GRPCCore
  import TTRPC
  import TTRPCTransport

  /// The methods of a table as gRPC calls them: whatever is in the table is offered, by the name that it has there.
  ///
  /// `ConnectionService` is left out, as every method that acts on a ttrpc connection is: gRPC has its own ways.
  struct MethodService: RegistrableRPCService {
    let methods: MethodTable
    let runner: CallRunner
    let maximumLength: Int

    /// The full names of the services.
    var services: Set<String> {
      Set(methods.methods.filter(\.isOfferedOverGRPC).map(\.name.service))
    }

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      for method in methods.methods where method.isOfferedOverGRPC {
        switch method.body {
        case .unary(let body): register(method, body, &router)
        case .streaming(let body): register(method, body, &router)
        case .cancellation: break
        }
      }
    }

    private func register<Transport: ServerTransport>(
      _ method: ServerMethod, _ body: @escaping ServerMethod.Unary, _ router: inout RPCRouter<Transport>
    ) {
      let runner = runner
      router.registerHandler(
        forMethod: MethodDescriptor(method, .unary),
        deserializer: RequestDecoder(maximumElements: method.maximumElements, body),
        serializer: MessageEncoder(maximumLength: maximumLength)
      ) { request, context in
        let answer = try await runner.run(method, request.metadata, context) { call in
          try await request.messages.only()(call)
        }
        return StreamingServerResponse { writer in
          try await runner.tellingErrors { try await writer.write(answer) }
          return [:]
        }
      }
    }

    private func register<Transport: ServerTransport>(
      _ method: ServerMethod, _ body: @escaping ServerMethod.Streaming, _ router: inout RPCRouter<Transport>
    ) {
      let runner = runner
      router.registerHandler(
        forMethod: MethodDescriptor(method, .serverStreaming),
        deserializer: RequestDecoder(maximumElements: method.maximumElements, body),
        serializer: MessageEncoder(maximumLength: maximumLength)
      ) { request, context in
        StreamingServerResponse { writer in
          try await runner.run(method, request.metadata, context) { call in
            let work = try await request.messages.only()
            try await work(call, .none, OutgoingMessages { try await writer.write($0) })
          }
          return [:]
        }
      }
    }
  }

  extension ServerMethod {
    fileprivate var isOfferedOverGRPC: Bool { !actsOnConnection }
  }

  extension MethodDescriptor {
    fileprivate init(_ method: ServerMethod, _ type: RPCType) {
      self.init(fullyQualifiedService: method.name.service, method: method.name.method, type: type)
    }
  }
#endif
