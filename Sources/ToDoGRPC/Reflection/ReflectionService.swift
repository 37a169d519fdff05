#if GRPC
  import CProtos
  import GRPCCore
  import TTRPC
  import TTRPCTransport

  /// Server reflection: tells gRPC's tools what the server offers, and what that is made of.
  ///
  /// Its two versions differ in their names only.
  struct ReflectionService: RegistrableRPCService {
    static let services: Set = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"]
    static let method = "ServerReflectionInfo"

    let index: SchemaIndex
    /// What the server offers.
    let services: Set<String>
    let runner: CallRunner
    let maximumLength: Int

    func registerMethods<Transport: ServerTransport>(with router: inout RPCRouter<Transport>) {
      for service in Self.services {
        let name = MethodName(service: service, method: Self.method)
        // Asked for by tools that keep the stream open; it would not end by itself.
        var method = ServerMethod.streaming(name) { _, _ in { _, _, _ in } }
        method.endsWithDrain = true
        register(method, &router)
      }
    }

    private func register<Transport: ServerTransport>(_ method: ServerMethod, _ router: inout RPCRouter<Transport>) {
      router.registerHandler(
        forMethod: MethodDescriptor(
          fullyQualifiedService: method.name.service, method: method.name.method, type: .bidirectionalStreaming),
        deserializer: RequestDecoder(maximumElements: method.maximumElements) { bytes, arena in
          try ReflectionQuestion(bytes, arena)
        },
        serializer: MessageEncoder(maximumLength: maximumLength)
      ) { [self] request, context in
        StreamingServerResponse { writer in
          try await runner.run(method, request.metadata, context) { _ in
            for try await question in request.messages {
              let answer = answer(to: question)
              try await writer.write(OutgoingMessage { answer.build(for: question, $0) })
            }
          }
          return [:]
        }
      }
    }

    func answer(to question: ReflectionQuestion) -> ReflectionAnswer {
      switch question.content {
      case .file(let name): index.file(named: name).map { .files($0) } ?? .notFound("there is no file \(name)")
      case .symbol(let symbol):
        index.file(defining: symbol).map { .files($0) } ?? .notFound("there is no symbol \(symbol)")
      case .extension(let number, let type): .notFound("there is no extension \(number) of \(type)")
      case .extensionNumbers(let type):
        index.messages.contains(type) ? .extensionNumbers(type, []) : .notFound("there is no message \(type)")
      case .services: .services(services.sorted())
      case .none: .error(.invalidArgument, "nothing is asked")
      }
    }
  }
#endif
